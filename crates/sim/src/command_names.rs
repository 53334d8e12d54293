//! The names of all commands, for counting them. A command that has no name here does not compile.

use exchange::command::Command;

macro_rules! commands {
    ($($name:ident),* $(,)?) => {
        #[derive(Clone, Copy)]
        enum Ordinal { $($name),* }

        /// By place.
        pub const NAMES: &[&str] = &[$(stringify!($name)),*];

        /// The place of a command among `NAMES`.
        pub fn place(command: &Command) -> usize {
            match command {
                $(Command::$name { .. } => Ordinal::$name as usize),*
            }
        }
    };
}

#[rustfmt::skip]
commands! {
    Tick, UpgradeRules,
    CreateUser, SuspendUser, FreezeUser, StartLogin, OpenSession, EndSession,
    RequestPasswordReset, ApprovePasswordReset, ResetPassword,
    CreateApiKey, RevokeApiKey, RotateApiKey, RecordMasterKey, ReplaceMasterKey, SetWatchlist,
    CreateOperator, ChangeRole, ConfirmOperator, SuspendOperator, RevokeOperator, BreakGlass,
    OpenOperatorSession, EndOperatorSession,
    CreditWallet, DebitWallet, MoveFees,
    CreateEvent, EditEvent, OpenEvent, PauseTrading, ResumeTrading, CloseTrading, ResolveMarket, CancelMarkets,
    SeedPool, GrowPool, SetMarketTerms,
    CreateSeries, PauseSeries, RecordPrice, ImportSports, CreateSoccerEvents, RecordGameResult,
    PlaceOrder, PlaceOrders, CancelOrder, CancelOrders, CancelAllOrders, AmendOrders, MintSets, BurnSets,
    CancelAfter, CancelOnDisconnect, EndConnection, CancelOrdersOf,
    SetPolicy, Propose, Finalise, FinaliseSeries, Withdraw, SetCancelOnly,
}
