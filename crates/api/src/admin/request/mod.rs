//! Request bodies of operators, one file per resource. A field without a value is omitted.

mod events;
mod governance;
mod people;
mod series;
mod sports;

pub use events::{AddNews, CreateEvent, CreateMarket, EditEvent, EditMarket, GrowPool, SeedPool, SetTerms};
pub use governance::{
    CancelMarkets, GivenVerdict, ProposeResult, ProposeVerdict, ResolveMarket, SetCancelOnly, SetPolicy,
    UpgradeRules, Withdraw,
};
pub use people::{
    ApproveReset, CancelOrdersOf, ChangeRole, CreateOperator, CreateUser, MoveFees, SuspendOperator,
    SuspendUser, Transfer,
};
pub use series::{CreateSeries, PushPrice};
pub use sports::{CreateSoccerEvents, ImportGame, ImportLeague, ImportSports, ImportTeam};
