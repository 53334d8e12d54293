//! One file per command, named after it: its fields, then its rule: refuse, hold, act, record. All refusals come before
//! the first change.

mod amend_orders;
mod approve_password_reset;
mod break_glass;
mod burn_sets;
mod cancel_after;
mod cancel_all_orders;
mod cancel_markets;
mod cancel_on_disconnect;
mod cancel_order;
mod cancel_orders;
mod cancel_orders_of;
mod change_role;
mod close_trading;
mod confirm_operator;
mod create_api_key;
mod create_event;
mod create_operator;
mod create_series;
pub mod create_soccer_events;
mod create_user;
mod credit_wallet;
mod debit_wallet;
#[cfg(any(test, feature = "next"))]
mod drill_upgrade;
mod edit_event;
mod end_connection;
mod end_operator_session;
mod end_session;
mod finalise;
mod finalise_series;
mod freeze_user;
mod grow_pool;
mod import_sports;
mod mint_sets;
mod move_fees;
mod open_event;
mod open_operator_session;
mod open_session;
mod pause_series;
mod pause_trading;
mod place_order;
mod place_orders;
mod propose;
mod record_game_result;
mod record_master_key;
mod record_price;
mod record_skip;
mod replace_master_key;
mod request_password_reset;
mod reset_password;
mod resolve_market;
mod resume_trading;
mod revoke_api_key;
mod revoke_operator;
mod rotate_api_key;
mod seed_pool;
mod set_cancel_only;
mod set_market_terms;
mod set_policy;
mod set_watchlist;
mod start_login;
mod suspend_operator;
mod suspend_user;
mod tick;
mod upgrade_rules;
mod withdraw;

pub use amend_orders::AmendOrders;
pub use approve_password_reset::ApprovePasswordReset;
pub use break_glass::BreakGlass;
pub use burn_sets::BurnSets;
pub use cancel_after::CancelAfter;
pub use cancel_all_orders::CancelAllOrders;
pub use cancel_markets::CancelMarkets;
pub use cancel_on_disconnect::CancelOnDisconnect;
pub use cancel_order::CancelOrder;
pub use cancel_orders::CancelOrders;
pub use cancel_orders_of::CancelOrdersOf;
pub use change_role::ChangeRole;
pub use close_trading::CloseTrading;
pub use confirm_operator::ConfirmOperator;
pub use create_api_key::CreateApiKey;
pub use create_operator::CreateOperator;
pub use create_user::CreateUser;
pub use credit_wallet::CreditWallet;
pub use debit_wallet::DebitWallet;
#[cfg(any(test, feature = "next"))]
pub use drill_upgrade::DrillUpgrade;
pub use edit_event::EditEvent;
pub use end_connection::EndConnection;
pub use end_operator_session::EndOperatorSession;
pub use finalise::Finalise;
pub use finalise_series::FinaliseSeries;
pub use freeze_user::FreezeUser;
pub use grow_pool::GrowPool;
pub use import_sports::ImportSports;
pub use mint_sets::MintSets;
pub use move_fees::MoveFees;
pub use open_event::OpenEvent;
pub use open_operator_session::OpenOperatorSession;
pub use open_session::OpenSession;
pub use pause_series::PauseSeries;
pub use pause_trading::PauseTrading;
pub use place_orders::PlaceOrders;
pub use propose::Propose;
pub use record_game_result::RecordGameResult;
pub use record_master_key::RecordMasterKey;
pub use record_price::RecordPrice;
pub use record_skip::RecordSkip;
pub use replace_master_key::ReplaceMasterKey;
pub use request_password_reset::RequestPasswordReset;
pub use reset_password::ResetPassword;
pub use resolve_market::ResolveMarket;
pub use resume_trading::ResumeTrading;
pub use revoke_api_key::RevokeApiKey;
pub use revoke_operator::RevokeOperator;
pub use rotate_api_key::RotateApiKey;
pub use seed_pool::SeedPool;
pub use set_cancel_only::SetCancelOnly;
pub use set_market_terms::SetMarketTerms;
pub use set_watchlist::SetWatchlist;
pub use start_login::StartLogin;
pub use suspend_operator::SuspendOperator;
pub use suspend_user::SuspendUser;
pub use upgrade_rules::UpgradeRules;
pub use withdraw::Withdraw;

use crate::authority::Caller;
use crate::command::Command;
use crate::exchange::Exchange;
use crate::reject::Reject;
use crate::reply::Reply;

impl Exchange {
    /// Hands a command to its rule. `authority` has seen to it that the caller may give it.
    #[rustfmt::skip]
    pub(crate) fn dispatch(&mut self, caller: Caller, command: &Command) -> Result<Reply, Reject> {
        use Command as C;
        if self.governance.is_cancel_only() && command.adds_risk() {
            return Err(Reject::CancelOnly);
        }
        match command {
            C::Tick => self.tick(),
            C::UpgradeRules(command) => self.upgrade_rules(command),
            C::CreateUser(command) => self.create_user(command),
            C::SuspendUser(command) => self.suspend_user(caller, command),
            C::StartLogin(command) => self.start_login(command),
            C::OpenSession(command) => self.open_session(command),
            C::EndSession => self.end_session(caller.session()?),
            C::RequestPasswordReset(command) => self.request_password_reset(command),
            C::ResetPassword(command) => self.reset_password(command),
            C::CreateApiKey(command) => self.create_api_key(caller.session()?, command),
            C::RevokeApiKey(command) => self.revoke_api_key(caller.session()?, command),
            C::RotateApiKey(command) => self.rotate_api_key(caller.session()?, command),
            C::SetWatchlist(command) => self.set_watchlist(caller.user()?, command),
            C::CreateOperator(command) => self.create_operator(caller, command),
            C::RevokeOperator(command) => self.revoke_operator(caller, command),
            C::OpenOperatorSession(command) => self.open_operator_session(caller, command),
            C::EndOperatorSession(command) => self.end_operator_session(caller, command),
            C::ApprovePasswordReset(command) => self.approve_password_reset(caller, command),
            C::ChangeRole(command) => self.change_role(caller, command),
            C::ConfirmOperator(command) => self.confirm_operator(caller, command),
            C::SuspendOperator(command) => self.suspend_operator(caller, command),
            C::BreakGlass(command) => self.break_glass(command),
            C::CreditWallet(command) => self.credit_wallet(caller, command),
            C::DebitWallet(command) => self.debit_wallet(caller, command),
            C::MoveFees(command) => self.move_fees(caller, command),
            C::FreezeUser(command) => self.freeze_user(caller, command),
            C::RecordMasterKey(command) => self.record_master_key(command),
            C::ReplaceMasterKey(command) => self.replace_master_key(command),
            C::RecordSkip(command) => self.record_skip(command),
            C::CreateEvent(command) => self.create_event(command),
            C::EditEvent(command) => self.edit_event(command),
            C::OpenEvent(command) => self.open_event(command),
            C::PauseTrading(command) => self.pause_trading(command),
            C::ResumeTrading(command) => self.resume_trading(command),
            C::CloseTrading(command) => self.close_trading(command),
            C::ResolveMarket(command) => self.resolve_market(caller, command),
            C::CancelMarkets(command) => self.cancel_markets(caller, command),
            C::SeedPool(command) => self.seed_pool(caller, command),
            C::GrowPool(command) => self.grow_pool(caller, command),
            C::SetMarketTerms(command) => self.set_market_terms(command),
            C::CreateSeries(command) => self.create_series(command),
            C::PauseSeries(command) => self.pause_series(command),
            C::RecordPrice(command) => self.record_price(caller, command),
            C::ImportSports(command) => self.import_sports(command),
            C::CreateSoccerEvents(command) => self.create_soccer_events(command),
            C::RecordGameResult(command) => self.record_game_result(caller, command),
            C::PlaceOrder(command) => self.place_order(caller.user()?, command),
            C::PlaceOrders(command) => self.place_orders(caller.user()?, command),
            C::CancelOrder(command) => self.cancel_order(caller.user()?, command),
            C::CancelOrders(command) => self.cancel_orders(caller.user()?, command),
            C::CancelAllOrders(command) => self.cancel_all_orders(caller.user()?, command),
            C::AmendOrders(command) => self.amend_orders(caller.user()?, command),
            C::MintSets(command) => self.mint_sets(caller.user()?, command),
            C::BurnSets(command) => self.burn_sets(caller.user()?, command),
            C::CancelAfter(command) => self.cancel_after(caller.user()?, command),
            C::CancelOnDisconnect(command) => self.cancel_on_disconnect(caller.user()?, command),
            C::EndConnection(command) => self.end_connection(command),
            C::CancelOrdersOf(command) => self.cancel_orders_of(command),
            C::SetPolicy(command) => self.set_policy(caller, command),
            C::Propose(command) => self.propose(caller, command),
            C::Finalise(command) => self.finalise(caller, command),
            C::Withdraw(command) => self.withdraw(caller, command),
            C::SetCancelOnly(command) => self.set_cancel_only(caller, command),
            C::FinaliseSeries(command) => self.finalise_series(caller, command),
            #[cfg(any(test, feature = "next"))]
            C::DrillUpgrade(command) => self.drill_upgrade(command),
        }
    }
}
