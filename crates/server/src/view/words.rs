//! The terms and numbers that `exchange` and `api` have in common, one table for each type, in both directions where
//! needed.
//!
//! Numbers have the same units on both sides, so nothing here rounds. A variant that one side lacks is missing from the
//! table of that direction; a new variant without a row does not compile.

use api::decimal;
use api::terms;
use api::timestamp::{OptionalDate, Timestamp};
use exchange::catalogue::{
    AssetPrice, Engine, EventKind, GameStatus, Interval, PropDirection, SeriesCategory, SportMarketType,
    Status,
};
use exchange::change::{MatchType, SeriesAlert};
use exchange::command::FeesTo;
use exchange::governance::{Author, CancelOnlyCause, Score};
use exchange::id::{
    EventId, GameId, KeyId, LeagueId, MarketId, NewsId, OperationId, OperatorId, OrderId, OutcomeId,
    ProposalId, SeriesId, SessionId, TeamId, TradeId, UserId,
};
use exchange::identity::Role;
use exchange::numbers::{Cents, Currency, FeeRate, Money, Ppm, Price, Shares, Slippage};
use exchange::order::{OrderKind, OrderStatus, Outcome, SelfTrade, Side, Sizing, TimeInForce};
use exchange::time::Time;
use uuid::Uuid;

/// Converts to the contract's type.
pub trait ToApi {
    type Api;
    fn to_api(self) -> Self::Api;
}

/// Converts to the exchange's type.
pub trait ToExchange<T> {
    fn to_exchange(self) -> T;
}

/// Conversions from exchange to contract.
macro_rules! shown {
    ($($ours:ident => $theirs:ident { $($word:ident => $shown:ident,)+ })*) => {$(
        impl ToApi for $ours {
            type Api = terms::$theirs;
            fn to_api(self) -> terms::$theirs {
                match self { $($ours::$word => terms::$theirs::$shown,)+ }
            }
        }
    )*};
}

/// Conversions in both directions.
macro_rules! both_ways {
    ($($ours:ident = $theirs:ident { $($word:ident = $shown:ident,)+ })*) => {$(
        shown! { $ours => $theirs { $($word => $shown,)+ } }

        impl ToExchange<$ours> for terms::$theirs {
            fn to_exchange(self) -> $ours {
                match self { $(terms::$theirs::$shown => $ours::$word,)+ }
            }
        }
    )*};
}

both_ways! {
    Currency = Currency { Usd = Usd, Ngn = Ngn, }
    Outcome = OutcomeSide { Yes = Yes, No = No, }
    Side = Side { Buy = Buy, Sell = Sell, }
    OrderKind = OrderType { Limit = Limit, Market = Market, }
    TimeInForce = TimeInForce { Gtc = Gtc, Gtd = Gtd, Fak = Fak, Fok = Fok, }
    SelfTrade = StpMode {
        Skip = Skip,
        CancelOldest = CancelOldest,
        CancelNewest = CancelNewest,
        CancelBoth = CancelBoth,
    }
    Engine = Engine { Amm = Amm, Clob = Clob, }
    EventKind = EventType { Single = Single, Combined = Combined, Grouped = Grouped, }
    Status = Status {
        Open = Open,
        Closed = Closed,
        Resolved = Resolved,
        Cancelled = Cancelled,
        Paused = Paused,
        Draft = Draft,
    }
    SportMarketType = SportMarketType {
        TeamH2h3Way = TeamH2h3Way,
        GoalSpread = GoalSpread,
        TotalGoals = TotalGoals,
    }
    PropDirection = PropDirection { Over = Over, Under = Under, }
    SeriesCategory = SeriesCategory { Crypto = Crypto, Currency = Currency, Finance = Finance, }
    SeriesAlert = SeriesAlert {
        StalePrice = StalePrice,
        HouseShort = HouseShort,
        Missed = Missed,
        NameTaken = NameTaken,
        SourcesDisagree = SourcesDisagree,
        OverCap = OverCap,
    }
    Interval = IntervalType {
        FiveMinute = FiveMinute,
        FifteenMinute = FifteenMinute,
        Hourly = Hourly,
        SixHourly = SixHourly,
        Daily = Daily,
    }
    GameStatus = GameStatus {
        Unplayed = Unplayed,
        Live = Live,
        Finished = Finished,
        Postponed = Postponed,
        Cancelled = Cancelled,
    }
    FeesTo = FeesTo { House = House, Outside = Outside, }
    Role = Role { Viewer = Viewer, Operator = Operator, Approver = Approver, }
}

shown! {
    // The contract's `POOL` has no counterpart: it is not a match of two orders.
    MatchType => MatchType { Direct => Direct, Mint => Mint, Merge => Merge, }
    CancelOnlyCause => CancelOnlyCause { Operator => Operator, LowDisk => LowDisk, }
    // The contract's `pending` has no counterpart.
    OrderStatus => OrderStatus {
        Open => Open,
        PartialFilled => PartialFilled,
        Filled => Filled,
        Cancelled => Cancelled,
        Rejected => Rejected,
        Expired => Expired,
    }
}

macro_rules! ids {
    ($($name:ident)*) => {$(
        impl ToApi for $name {
            type Api = Uuid;
            fn to_api(self) -> Uuid {
                Uuid::from_u128(self.as_u128())
            }
        }

        impl ToExchange<$name> for Uuid {
            fn to_exchange(self) -> $name {
                $name::new(self.as_u128())
            }
        }
    )*};
}

ids! {
    EventId MarketId OutcomeId SeriesId LeagueId TeamId GameId NewsId
    UserId SessionId KeyId OrderId TradeId OperationId OperatorId ProposalId
}

macro_rules! numbers {
    ($($ours:ident => $theirs:ident, |$value:ident| $units:expr;)*) => {$(
        impl ToApi for $ours {
            type Api = decimal::$theirs;
            fn to_api(self) -> decimal::$theirs {
                let $value = self;
                decimal::$theirs::from_units($units)
            }
        }
    )*};
}

numbers! {
    Money => Money, |money| money.units();
    Shares => Shares, |shares| shares.units();
    Ppm => UnitPrice, |price| price.units();
    // A cent is 10 000 millionths.
    Cents => UnitPrice, |value| value.cents() * 10_000;
    // A basis point is a hundredth of a percent.
    FeeRate => Percent, |rate| i64::from(rate.basis_points());
    AssetPrice => AssetPrice, |price| price.0;
}

impl ToApi for Price {
    type Api = decimal::Price;
    fn to_api(self) -> decimal::Price {
        decimal::Price::from_cents(self.cents())
    }
}

impl ToExchange<Money> for decimal::Money {
    fn to_exchange(self) -> Money {
        Money::new(self.units())
    }
}

impl ToExchange<Shares> for decimal::Shares {
    fn to_exchange(self) -> Shares {
        Shares::new(self.units())
    }
}

impl ToExchange<Ppm> for decimal::UnitPrice {
    fn to_exchange(self) -> Ppm {
        Ppm::new(self.units())
    }
}

impl ToExchange<Price> for decimal::Price {
    fn to_exchange(self) -> Price {
        Price::new(self.cents()).expect("a request's price was read as 0.01 to 0.99")
    }
}

impl ToExchange<Slippage> for decimal::Slippage {
    fn to_exchange(self) -> Slippage {
        let basis_points = u16::try_from(self.units()).ok();
        basis_points.and_then(Slippage::new).expect("a request's slippage was read as 0 to 1")
    }
}

impl ToExchange<Sizing> for api::request::Sizing {
    fn to_exchange(self) -> Sizing {
        match self {
            api::request::Sizing::Amount(amount) => Sizing::Amount(amount.to_exchange()),
            api::request::Sizing::Quantity(quantity) => Sizing::Quantity(quantity.to_exchange()),
        }
    }
}

impl ToApi for Time {
    type Api = Timestamp;
    fn to_api(self) -> Timestamp {
        Timestamp::from_micros(self.micros())
    }
}

impl ToExchange<Time> for Timestamp {
    fn to_exchange(self) -> Time {
        Time::from_micros(self.micros())
    }
}

/// An optional date.
impl ToApi for Option<Time> {
    type Api = OptionalDate;
    fn to_api(self) -> OptionalDate {
        OptionalDate(self.map(Time::to_api))
    }
}

/// The role of an author, without the name.
impl ToApi for Author {
    type Api = terms::Author;
    fn to_api(self) -> terms::Author {
        match self {
            Author::Node => terms::Author::Node,
            Author::Operator { role: Role::Viewer, .. } => terms::Author::Viewer,
            Author::Operator { role: Role::Operator, .. } => terms::Author::Operator,
            Author::Operator { role: Role::Approver, .. } => terms::Author::Approver,
        }
    }
}

impl ToApi for Score {
    type Api = api::response::Score;
    fn to_api(self) -> api::response::Score {
        api::response::Score { home: self.home, away: self.away }
    }
}

impl ToExchange<Score> for api::response::Score {
    fn to_exchange(self) -> Score {
        Score { home: self.home, away: self.away }
    }
}

/// Hundredths of a percent.
pub fn percent(hundredths: i64) -> decimal::Percent {
    decimal::Percent::from_units(hundredths)
}
