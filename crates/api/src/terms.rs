//! The closed sets of words in requests and responses, in the order of the contract's tables.

use crate::words::words;

words! {
    /// A currency. One share pays 1 USD or 100 NGN.
    Currency { Usd = "USD", Ngn = "NGN", }

    /// How an event trades: against a pool (AMM) or in an order book (CLOB).
    Engine { Amm = "AMM", Clob = "CLOB", }

    /// Whose trades are asked for: those of books, of pools, or of both.
    TradesEngine { Clob = "CLOB", Amm = "AMM", All = "ALL", }

    /// How the markets of an event hang together.
    EventType { Single = "single", Combined = "combined", Grouped = "grouped", }

    /// An order of a list of events, in place of the one by status and age.
    EventsOrder { Closing = "closing", Volume = "volume", }

    /// The state of an event or a market.
    Status {
        Open = "open",
        Closed = "closed",
        Resolved = "resolved",
        Cancelled = "cancelled",
        Paused = "paused",
        Draft = "draft",
    }

    /// The subject of a soccer event's markets.
    SportMarketType {
        TeamH2h3Way = "TEAM_H2H_3WAY",
        GoalSpread = "GOAL_SPREAD",
        TotalGoals = "TOTAL_GOALS",
    }

    /// The direction of a prop market.
    PropDirection { Over = "OVER", Under = "UNDER", }

    /// One side of a market. The first outcome is YES.
    OutcomeSide { Yes = "YES", No = "NO", }

    /// Whether an order buys or sells.
    Side { Buy = "BUY", Sell = "SELL", }

    /// Whether an order has a limit price.
    OrderType { Limit = "LIMIT", Market = "MARKET", }

    /// How long an order lives: until cancelled, until a date, fill and kill, fill or kill.
    TimeInForce { Gtc = "GTC", Gtd = "GTD", Fak = "FAK", Fok = "FOK", }

    /// The rule for an order that meets another of the same user.
    StpMode {
        Skip = "SKIP",
        CancelOldest = "CANCEL_OLDEST",
        CancelNewest = "CANCEL_NEWEST",
        CancelBoth = "CANCEL_BOTH",
    }

    /// The state of an order.
    OrderStatus {
        Pending = "pending",
        Open = "open",
        PartialFilled = "partial_filled",
        Filled = "filled",
        Cancelled = "cancelled",
        Rejected = "rejected",
        Expired = "expired",
    }

    /// How the shares of a trade came about: moved, created as a pair, or destroyed as a pair; or traded with a pool.
    MatchType { Direct = "DIRECT", Mint = "MINT", Merge = "MERGE", Pool = "POOL", }

    /// The subject of a series.
    SeriesCategory { Crypto = "CRYPTO", Currency = "CURRENCY", Finance = "FINANCE", }

    /// How often a series makes an event.
    IntervalType {
        FiveMinute = "FIVE_MINUTE",
        FifteenMinute = "FIFTEEN_MINUTE",
        Hourly = "HOURLY",
        SixHourly = "SIX_HOURLY",
        Daily = "DAILY",
    }

    /// The state of a game.
    GameStatus {
        Unplayed = "UNPLAYED",
        Live = "LIVE",
        Finished = "FINISHED",
        Postponed = "POSTPONED",
        Cancelled = "CANCELLED",
    }

    /// The type of an activity.
    ActivityType {
        BuyMarketOrderCreated = "BUY_MARKET_ORDER_CREATED",
        SellMarketOrderCreated = "SELL_MARKET_ORDER_CREATED",
        BuyTradeFill = "BUY_TRADE_FILL",
        SellTradeFill = "SELL_TRADE_FILL",
        BuyLimitOrderCreated = "BUY_LIMIT_ORDER_CREATED",
        BuyLimitOrderCancelled = "BUY_LIMIT_ORDER_CANCELLED",
        BuyLimitOrderExpired = "BUY_LIMIT_ORDER_EXPIRED",
        SellLimitOrderCreated = "SELL_LIMIT_ORDER_CREATED",
        SellLimitOrderCancelled = "SELL_LIMIT_ORDER_CANCELLED",
        SellLimitOrderExpired = "SELL_LIMIT_ORDER_EXPIRED",
        PayoutWin = "PAYOUT_WIN",
        PayoutLoss = "PAYOUT_LOSS",
        BuyRefund = "BUY_REFUND",
        Mint = "MINT",
        Burn = "BURN",
    }

    /// The type of a movement of money. `PAYOUT` and `REFUND`: a position was settled or its market cancelled.
    MovementType {
        Buy = "BUY",
        Sell = "SELL",
        Mint = "MINT",
        Burn = "BURN",
        Payout = "PAYOUT",
        Refund = "REFUND",
        Deposit = "DEPOSIT",
        Withdrawal = "WITHDRAWAL",
    }

    /// The type of a notification. `RESOLUTION`: a position paid nothing.
    NotificationType {
        Fill = "FILL",
        Payout = "PAYOUT",
        Resolution = "RESOLUTION",
        Refund = "REFUND",
        PriceAlert = "PRICE_ALERT",
    }

    /// Whether an alert waits for a higher price or for a lower one.
    AlertDirection { Rises = "RISES", Falls = "FALLS", }

    /// A group of activities, as a filter.
    ActivityGroup { Buys = "buys", Sells = "sells", Limits = "limits", Payout = "payout", Sets = "sets", }

    /// An order's state as activities spell it.
    ActivityStatus {
        Open = "OPEN",
        PartialFilled = "PARTIAL_FILLED",
        Filled = "FILLED",
        Cancelled = "CANCELLED",
        Rejected = "REJECTED",
        Expired = "EXPIRED",
    }

    /// An event's type as activities spell it.
    ActivityEventType { Single = "SINGLE", Combined = "COMBINED", Grouped = "GROUPED", }

    /// A span of the price history, ending now.
    HistoryPeriod {
        TwelveHours = "12H",
        TwentyFourHours = "24H",
        OneWeek = "1W",
        OneMonth = "1M",
        OneYear = "1Y",
    }

    /// A span for profit and loss: rolling, by the calendar, or all time.
    PnlPeriod {
        TwelveHours = "12H",
        TwentyFourHours = "24H",
        OneWeek = "1W",
        OneMonth = "1M",
        OneYear = "1Y",
        ThisWeek = "THIS_WEEK",
        ThisMonth = "THIS_MONTH",
        ThisYear = "THIS_YEAR",
        All = "ALL",
    }

    /// The length of one candle.
    CandleInterval {
        OneMinute = "1m",
        FiveMinutes = "5m",
        FifteenMinutes = "15m",
        OneHour = "1h",
        SixHours = "6h",
        OneDay = "1d",
    }

    /// How decimals are written: as strings.
    NumberFormat { String = "string", }

    /// The length of a bucket of the venue's statistics.
    StatisticsInterval { OneHour = "1h", OneDay = "1d", }

    /// An operator's role: look; run the venue; also approve, and appoint others.
    Role { Viewer = "viewer", Operator = "operator", Approver = "approver", }

    /// Who decided something, by role: the exchange itself, or an operator.
    Author { Node = "node", Viewer = "viewer", Operator = "operator", Approver = "approver", }

    /// How an event is to end: an outcome for each of some markets, everything called off at a price, or by the score of
    /// its game.
    VerdictType { Outcomes = "outcomes", Cancelled = "cancelled", GameResult = "game_result", }

    /// How a proposed verdict ended.
    VerdictEnding { Finalised = "finalised", Withdrawn = "withdrawn", Overtaken = "overtaken", }

    /// Why an interval of a series did not begin or end by itself.
    SeriesAlert {
        StalePrice = "stale_price",
        HouseShort = "house_short",
        Missed = "missed",
        NameTaken = "name_taken",
        SourcesDisagree = "sources_disagree",
        OverCap = "over_cap",
    }

    /// The subject of a proposal.
    ProposalType {
        Resolution = "resolution",
        GameResult = "game_result",
        Command = "command",
    }

    /// Where fees go: into the house's wallet, or out of the exchange.
    FeesTo { House = "house", Outside = "outside", }

    /// Why nothing can be placed: an operator said so, or the journal's disk is nearly full.
    CancelOnlyCause { Operator = "operator", LowDisk = "low_disk", }

    /// Whether part of a wallet works.
    WalletActivity { Active = "ACTIVE", Suspended = "SUSPENDED", }
}

impl Currency {
    /// The payout of one share: `currencyBaseMultiplier`.
    pub const fn base_multiplier(self) -> u16 {
        match self {
            Currency::Usd => 1,
            Currency::Ngn => 100,
        }
    }
}

impl ActivityGroup {
    /// The activities that the filter includes.
    pub const fn types(self) -> &'static [ActivityType] {
        use ActivityType as A;
        match self {
            ActivityGroup::Buys => &[A::BuyMarketOrderCreated, A::BuyTradeFill],
            ActivityGroup::Sells => &[A::SellMarketOrderCreated, A::SellTradeFill],
            ActivityGroup::Limits => &[
                A::BuyLimitOrderCreated,
                A::BuyLimitOrderCancelled,
                A::BuyLimitOrderExpired,
                A::SellLimitOrderCreated,
                A::SellLimitOrderCancelled,
                A::SellLimitOrderExpired,
            ],
            ActivityGroup::Payout => &[A::PayoutWin, A::PayoutLoss],
            ActivityGroup::Sets => &[A::Mint, A::Burn],
        }
    }
}

impl ActivityType {
    /// Without a filter, fills are omitted: the order that caused them is listed.
    pub const fn is_listed_without_filter(self) -> bool {
        !matches!(self, ActivityType::BuyTradeFill | ActivityType::SellTradeFill)
    }
}
