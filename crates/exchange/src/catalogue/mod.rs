//! Tradable things and their context: events, their markets and listings, series, sports, asset prices.
//!
//! `Catalogue` looks things up; the rules that change them are in `commands` and `lifecycle`.

mod assets;
pub(crate) mod checks;
mod event;
mod finding;
mod listing;
mod market;
mod retired;
mod series;
mod sports;
mod status;
pub(crate) mod table;

pub use assets::{AssetPrice, AssetPrices, PUSHED, Sample, Samples};
pub use event::{Engine, Event, EventDetails, EventKind, EventLink, NewEvent, SportMarketType};
pub use finding::Catalogue;
pub use listing::{LastTrade, Listing, Venue};
pub use market::{Market, MarketDetails, NewMarket, Prop, PropDirection, Settlement};
pub(crate) use retired::RetiredNames;
pub use retired::{RetiredEvent, RetiredListing, RetiredMarket};
pub use series::{Automation, Interval, NewSeries, RaisedAlert, Series, SeriesCategory};
pub use sports::{Game, GameStatus, League, Sports, Team};
pub use status::{Action, Status};
