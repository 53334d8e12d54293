//! Responses to operators, one file per resource. They contain both ids and slugs; the next request can use either.

mod audit;
mod events;
mod governance;
mod people;
mod series;
mod signals;
mod sports;
mod statistics;
mod status;

pub use audit::{AuditEntry, AuditLog};
pub use events::{
    AnnouncedTerms, EventDetail, EventList, EventRow, EventState, EventStates, ListingDetail, MarketDetail,
    MarketState, UploadedPicture,
};
pub use governance::{
    CancelOnly, FinalisedSeries, NodeRules, Payout, PayoutPreview, PolicyState, ProposalState, Proposals,
    Proposed, RulesState,
};
pub use people::{
    ApprovedReset, CancelledOrders, CreatedOperator, CreatedUser, MovedFees, OperatorState, Operators,
    PasswordResetRow, PasswordResets, Transferred, UserDetail, UserKey, UserList, UserOrder, UserPosition,
    UserState, Wallet,
};
pub use series::{Alert, AssetState, Assets, FeedState, SeriesRows, SeriesState};
pub use signals::{CurrencySample, NodeSignals, SignalSample};
pub use sports::{GameState, ImportedCounts, LeagueState, SportsData, TeamState};
pub use statistics::{PoolStatistics, Statistics, StatisticsBucket};
pub use status::VenueStatus;
