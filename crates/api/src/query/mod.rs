//! Query strings as typed values, one file per resource; `raw.rs` splits and decodes, `pages.rs` has page and size.
//!
//! Unknown parameters are ignored, an empty value counts as absent, and a parameter that may appear once must not
//! appear twice. Words are case-insensitive, since clients differ.

mod activities;
mod asset_prices;
mod books;
mod candles;
mod changes;
mod events;
mod notifications;
mod numbers;
mod orders;
mod pages;
mod pnl;
mod portfolio;
mod price_history;
mod raw;
mod search;
mod sports;
mod statement;
mod stream;
mod ticker;
mod trades;
mod user_lookup;

pub use activities::ActivitiesQuery;
pub use asset_prices::AssetPricesQuery;
pub use books::BooksQuery;
pub use candles::CandlesQuery;
pub use changes::{ChangesQuery, MarketChangesQuery};
pub use events::{EventQuery, EventsQuery};
pub use notifications::NotificationsQuery;
pub use numbers::NumbersQuery;
pub use orders::OrdersQuery;
pub use pages::{PageQuery, RewardsQuery, SeriesQuery};
pub use pnl::PnlQuery;
pub use portfolio::PortfolioQuery;
pub use price_history::PriceHistoryQuery;
pub use raw::RawQuery;
pub use search::words_of;
pub use sports::{GamesQuery, TeamsQuery};
pub use statement::{AccountValueQuery, StatementQuery};
pub use stream::StreamQuery;
pub use ticker::{OutcomeChoice, TickerQuery};
pub use trades::TradesQuery;
pub use user_lookup::UserLookupQuery;
