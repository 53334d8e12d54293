//! Shapes of the specification's resources, in its order. Resources that the specification names without showing them have
//! the shape that public clients need; only checks with the source `PublicClients` compare those.

use crate::shape::Kind::{
    self, Any, Bool, Integer, ListOf, Name, Number, NumberText, Object, OneOf, OrNull, Price, Text, Time,
    TimeOrEmpty, Uuid,
};
use crate::shape::{Field, may, must};

const STATUS: Kind = OneOf(&["open", "closed", "resolved", "cancelled", "paused", "draft"]);
const CURRENCY: Kind = OneOf(&["USD", "NGN"]);
const SIDE: Kind = OneOf(&["BUY", "SELL"]);
const OUTCOME: Kind = OneOf(&["YES", "NO"]);
const ORDER_STATUS: Kind =
    OneOf(&["pending", "open", "partial_filled", "filled", "cancelled", "rejected", "expired"]);

pub(crate) const HEALTH: Kind = Object(&[must("status", Name)]);

pub(crate) const VERSION: Kind = Object(&[must("version", Name)]);

/// The body of a 429.
pub(crate) const RATE_LIMITED: Kind = Object(&[must("message", Name), must("retryAfter", Integer)]);

pub(crate) const PAGINATION: Kind = Object(&[
    must("page", Integer),
    must("size", Integer),
    must("lastPage", Integer),
    must("totalCount", Integer),
]);

const TEAM_IN_MARKET: Kind = Object(&[
    must("id", Uuid),
    must("name", Text),
    must("slug", Text),
    must("league", Text),
    must("sport", Text),
]);

pub(crate) const MARKET: Kind = Object(&[
    must("id", Uuid),
    must("title", Text),
    must("status", STATUS),
    must("outcome1Id", Uuid),
    must("outcome2Id", Uuid),
    must("outcome1Label", Text),
    must("outcome2Label", Text),
    must("outcome1Price", Price),
    must("outcome2Price", Price),
    must("yesBuyPrice", Number),
    must("noBuyPrice", Number),
    must("minimumOrderAmount", Number),
    must("feePercentage", Number),
    must("totalOrders", Integer),
    must("rules", Text),
    may("propLine", OrNull(&Number)),
    may("propDirection", OrNull(&Text)),
    may("propTeam", OrNull(&TEAM_IN_MARKET)),
]);

pub(crate) const EVENT: Kind = Object(&[
    must("id", Uuid),
    must("slug", Name),
    must("title", Text),
    must("category", Text),
    must("type", OneOf(&["single", "combined", "grouped"])),
    must("engine", OneOf(&["AMM", "CLOB"])),
    must("status", STATUS),
    must("resolutionDate", TimeOrEmpty),
    must("closingDate", TimeOrEmpty),
    must("liquidity", Number),
    must("totalVolume", Number),
    must("totalOrders", Integer),
    must("supportedCurrencies", ListOf(&CURRENCY)),
    may("userWatchlisted", Bool),
    must("markets", ListOf(&MARKET)),
    may("sportGameSlug", OrNull(&Text)),
    may("sportMarketType", OrNull(&Text)),
]);

/// The specification does not name the list.
pub(crate) const EVENT_LIST: Kind = ListOf(&EVENT);
pub(crate) const PAGED: Kind = Object(&[must("pagination", PAGINATION)]);

pub(crate) const EVENTS: Kind = Object(&[must("events", Any), must("pagination", Any)]);

pub(crate) const AMM_ORDER: Kind = Object(&[
    must("id", Uuid),
    must("outcome", OUTCOME),
    must("side", SIDE),
    must("type", OneOf(&["MARKET", "LIMIT"])),
    must("status", ORDER_STATUS),
    must("amount", Number),
    must("price", Price),
    must("quantity", Number),
    must("currency", CURRENCY),
    must("createdAt", Time),
    must("updatedAt", Time),
]);

pub(crate) const CLOB_ORDER: Kind = Object(&[
    must("id", Uuid),
    must("marketId", Uuid),
    must("userId", Uuid),
    must("outcome", OUTCOME),
    must("side", SIDE),
    must("orderType", OneOf(&["LIMIT", "MARKET"])),
    must("type", OneOf(&["GTC", "GTD", "FAK", "FOK"])),
    must("status", ORDER_STATUS),
    must("amount", Number),
    must("price", Price),
    must("size", Number),
    must("filledSize", Number),
    must("remainingSize", Number),
    must("avgFillPrice", Price),
    must("fee", Number),
    must("postOnly", Bool),
    must("stpMode", OneOf(&["SKIP", "CANCEL_OLDEST", "CANCEL_NEWEST", "CANCEL_BOTH"])),
    must("quantity", Number),
    must("createdAt", Time),
    must("updatedAt", Time),
    may("currency", CURRENCY),
]);

pub(crate) const PLACED_ON_BOOK: Kind =
    Object(&[must("engine", OneOf(&["CLOB"])), must("order", CLOB_ORDER)]);
pub(crate) const PLACED_ON_POOL: Kind = Object(&[must("engine", OneOf(&["AMM"])), must("order", AMM_ORDER)]);

/// A listed order of either engine, with the fields that public clients need.
pub(crate) const LISTED_ORDER: Kind = Object(&[
    must("id", Uuid),
    must("marketId", Uuid),
    must("outcomeId", Uuid),
    must("side", SIDE),
    must("type", Text),
    must("stpMode", Text),
    must("status", ORDER_STATUS),
    must("amount", Number),
    must("price", Price),
    must("size", Number),
    must("filledSize", Number),
    must("remainingSize", Number),
    must("currency", CURRENCY),
    must("createdAt", Time),
    must("updatedAt", Time),
]);

pub(crate) const ORDERS: Kind =
    Object(&[must("orders", ListOf(&LISTED_ORDER)), must("pagination", PAGINATION)]);

const TRADE: Kind = Object(&[
    must("id", Uuid),
    must("marketId", Uuid),
    must("outcome", OUTCOME),
    must("price", Price),
    must("size", Number),
    must("createdAt", Time),
    may("takerUserId", Text),
    may("makerUserId", Text),
    may("takerOrderId", Text),
    may("makerOrderId", Text),
    may("takerFee", Number),
    may("makerOutcomeId", Text),
    may("takerOutcomeId", Text),
    may("matchType", Text),
    may("takerSide", SIDE),
    may("takerPrice", Price),
    may("makerPrice", Price),
]);

/// A trade with the fields that public clients need.
pub(crate) const FULL_TRADES: Kind = Object(&[must(
    "data",
    ListOf(&Object(&[
        must("takerUserId", Text),
        must("makerUserId", Text),
        must("takerOrderId", Text),
        must("makerOrderId", Text),
        must("takerFee", Number),
        must("makerOutcomeId", Text),
        must("takerOutcomeId", Text),
        must("matchType", Text),
        must("takerSide", SIDE),
        must("takerPrice", Price),
        must("makerPrice", Price),
    ])),
)]);

pub(crate) const TRADES: Kind = Object(&[must("data", ListOf(&TRADE)), must("pagination", PAGINATION)]);

pub(crate) const TICKER: Kind = Object(&[
    must("marketId", Uuid),
    must("outcome", OUTCOME),
    must("lastPrice", Price),
    must("bestBid", Price),
    must("bestAsk", Price),
    must("midPrice", Price),
    must("spread", Number),
    must("volume24h", Number),
    must("high24h", Price),
    must("low24h", Price),
    must("priceChange24h", Number),
    must("tradeCount24h", Integer),
    must("timestamp", Time),
]);

pub(crate) const QUOTE: Kind = Object(&[
    must("price", Price),
    must("currentMarketPrice", Price),
    must("quantity", Number),
    must("amount", Number),
    must("costOfShares", Number),
    must("fee", Number),
    must("priceImpactAbsolute", Number),
    must("profitPercentage", Number),
    must("currencyBaseMultiplier", Number),
    must("completeFill", Bool),
    must("tradeGoesOverMaxLiability", Bool),
]);

pub(crate) const MINTED: Kind = Object(&[
    must("operationId", Uuid),
    must("marketId", Uuid),
    must("quantity", Number),
    must("outcome1Price", Price),
    must("outcome2Price", Price),
]);

pub(crate) const BURNED: Kind = Object(&[
    must("operationId", Uuid),
    must("marketId", Uuid),
    must("quantity", Number),
    must("outcome1Price", Price),
    must("outcome2Price", Price),
    must("proceeds", Number),
]);

const SIGNING: Kind = Object(&[
    must("algorithm", OneOf(&["HMAC-SHA256"])),
    must("headers", ListOf(&Text)),
    must("payloadFormat", Name),
    must("timestampWindowSeconds", Integer),
]);

pub(crate) const CREATED_KEY: Kind = Object(&[
    must("id", Uuid),
    must("name", Text),
    must("publicKey", Name),
    must("secretKey", Name),
    must("signingInstructions", SIGNING),
    must("createdAt", Time),
]);

pub(crate) const ROTATED_KEY: Kind = Object(&[
    must("id", Uuid),
    must("name", Text),
    must("publicKey", Name),
    must("secretKey", Name),
    must("signingInstructions", SIGNING),
]);

const LISTED_KEY: Kind = Object(&[
    must("id", Uuid),
    must("name", Text),
    must("publicKey", Name),
    must("secretKeyHint", Text),
    must("createdAt", Time),
]);

pub(crate) const KEYS: Kind = Object(&[must("keys", ListOf(&LISTED_KEY)), must("total", Integer)]);

pub(crate) const SESSION: Kind = Object(&[must("token", Name), must("deviceId", Name), must("userId", Name)]);

const SERIES: Kind = Object(&[
    must("id", Uuid),
    must("slug", Name),
    must("displayName", Text),
    must("description", Text),
    must("category", Text),
    // Intervals beyond the specification's four are additions.
    must("intervalType", Name),
    must("assetSymbol", Text),
    must("automationType", Text),
    may("iconUrl", Text),
]);

pub(crate) const SERIES_LIST: Kind =
    Object(&[must("series", ListOf(&SERIES)), must("pagination", PAGINATION)]);

pub(crate) const LEAN_EVENTS: Kind = ListOf(&Object(&[
    must("id", Uuid),
    must("title", Text),
    must("openingDate", TimeOrEmpty),
    must("closingDate", TimeOrEmpty),
    must("resolutionDate", TimeOrEmpty),
]));

const TEAM_FIELDS: &[Field] = &[
    must("id", Uuid),
    must("sport", Text),
    must("name", Text),
    must("slug", Text),
    must("shortCode", Text),
    must("league", Text),
    may("imageUrl", Text),
    must("isPopular", Bool),
];
const TEAM: Kind = Object(TEAM_FIELDS);

pub(crate) const TEAMS: Kind = Object(&[must("teams", ListOf(&TEAM)), must("pagination", PAGINATION)]);

const GAME: Kind = Object(&[
    must("id", Uuid),
    must("slug", Text),
    must("sport", Text),
    must("homeTeamId", Uuid),
    must("awayTeamId", Uuid),
    must("startDate", Time),
    must("status", Name),
    must("isLive", Bool),
    must("isPopular", Bool),
    must("league", Text),
    must("homeTeam", TEAM),
    must("awayTeam", TEAM),
]);

pub(crate) const GAMES: Kind = Object(&[must("games", ListOf(&GAME)), must("pagination", PAGINATION)]);

pub(crate) const LEAGUES: Kind = Object(&[must(
    "leagues",
    ListOf(&Object(&[must("name", Name), must("shortName", Text), must("imageUrl", Text)])),
)]);

const LEVEL: Kind = Object(&[must("price", Price), must("quantity", Number), must("total", Number)]);

pub(crate) const BOOK: Kind = Object(&[
    must("marketId", Uuid),
    must("outcomeId", Uuid),
    must("timestamp", Time),
    must("bids", ListOf(&LEVEL)),
    must("asks", ListOf(&LEVEL)),
    may("lastTradedPrice", OrNull(&Price)),
    may("lastTradedSide", OrNull(&SIDE)),
]);

pub(crate) const BOOKS: Kind = ListOf(&BOOK);

pub(crate) const ERROR: Kind =
    Object(&[must("error", Name), must("message", Name), must("statusCode", Integer)]);

const ITEM_ERROR: Kind = Object(&[
    must(
        "code",
        OneOf(&[
            "ORDER_NOT_FOUND",
            "UNSUPPORTED_ENGINE",
            "BAD_REQUEST",
            "INSUFFICIENT_BALANCE",
            "INSUFFICIENT_SHARES",
        ]),
    ),
    must("message", Text),
]);

const SUMMARY: Kind = Object(&[must("total", Integer), must("succeeded", Integer), must("failed", Integer)]);

pub(crate) const CANCELLED_BATCH: Kind = Object(&[
    must("engine", OneOf(&["CLOB"])),
    must(
        "results",
        ListOf(&Object(&[must("orderId", Text), must("success", Bool), may("error", ITEM_ERROR)])),
    ),
    must("summary", SUMMARY),
]);

pub(crate) const PLACED_BATCH: Kind = Object(&[
    must("engine", OneOf(&["CLOB"])),
    must(
        "results",
        ListOf(&Object(&[
            must("index", Integer),
            must("success", Bool),
            may("order", CLOB_ORDER),
            may("error", ITEM_ERROR),
        ])),
    ),
    must("summary", SUMMARY),
]);

pub(crate) const AMENDED_BATCH: Kind = Object(&[
    must("engine", OneOf(&["CLOB"])),
    must(
        "results",
        ListOf(&Object(&[
            must("index", Integer),
            must("orderId", Text),
            must("success", Bool),
            may("order", CLOB_ORDER),
            may("error", ITEM_ERROR),
        ])),
    ),
    must("summary", SUMMARY),
]);

const POSITION: Kind = Object(&[
    must("id", Uuid),
    must("outcome", Text),
    must("outcomeId", Uuid),
    must("assetId", Uuid),
    must("userId", Uuid),
    must("balance", Number),
    must("availableBalance", Number),
    must("averagePrice", Number),
    must("cost", Number),
    must("currentValue", Number),
    must("sellPrice", Number),
    must("payoutIfOutcomeWins", Number),
    must("percentageChange", Number),
    must("currency", CURRENCY),
    must(
        "market",
        Object(&[
            must("id", Uuid),
            must("title", Text),
            must(
                "event",
                Object(&[must("id", Uuid), must("title", Text), must("type", Text), must("engine", Text)]),
            ),
        ]),
    ),
    must("createdAt", Time),
    must("updatedAt", Time),
]);

pub(crate) const PORTFOLIO: Kind = Object(&[
    must("outcomeBalances", ListOf(&POSITION)),
    must("portfolioCost", Number),
    must("portfolioCurrentValue", Number),
    must("portfolioPercentageChange", Number),
    must("pagination", PAGINATION),
]);

const ACTIVITY: Kind = Object(&[
    must("id", Text),
    must("type", Name),
    must("eventId", Uuid),
    must("marketId", Uuid),
    must("outcomeId", Uuid),
    must("eventType", Text),
    must("eventTitle", Text),
    must("marketTitle", Text),
    must("currency", CURRENCY),
    must("createdAt", Time),
    must("updatedAt", Time),
    may("amount", NumberText),
    may("fee", NumberText),
    may("size", NumberText),
    may("price", NumberText),
    may("totalCost", NumberText),
]);

pub(crate) const ACTIVITIES: Kind =
    Object(&[must("activities", ListOf(&ACTIVITY)), must("pagination", PAGINATION)]);

const ASSET: Kind = Object(&[
    must("id", Uuid),
    must("symbol", CURRENCY),
    must("userId", Uuid),
    must("network", Text),
    must("availableBalance", Number),
    must("pendingBalance", Number),
    must("depositActivity", Text),
    must("withdrawalActivity", Text),
    must("wagerActivity", Text),
    must("isDefault", Bool),
    must("isLocalCurrencyAsset", Bool),
    must("addresses", ListOf(&Any)),
    must("currencyBaseMultiplier", Integer),
    must("createdAt", Time),
    must("updatedAt", Time),
]);

pub(crate) const ASSETS: Kind = Object(&[must("assets", ListOf(&ASSET))]);

/// The first of two known shapes of a price history: a list of markets.
pub(crate) const PRICE_HISTORY: Kind = Object(&[must(
    "markets",
    ListOf(&Object(&[
        must("marketId", Uuid),
        must("priceHistory", ListOf(&Object(&[must("e", Integer), must("p", Price)]))),
    ])),
)]);

/// The second known shape: a list under the id of its market.
pub(crate) const PRICE_POINTS: Kind =
    ListOf(&Object(&[must("outcome", OUTCOME), must("price", Price), must("timestamp", Time)]));

pub(crate) const CONNECTED: Kind = Object(&[
    must("type", OneOf(&["connected"])),
    must("status", OneOf(&["connected"])),
    must("clientId", Name),
    must("message", Text),
    must("timestamp", Integer),
]);

pub(crate) const SUBSCRIBED: Kind = Object(&[
    must("type", OneOf(&["subscribed"])),
    must("room", Name),
    must("message", Text),
    must("timestamp", Integer),
]);

pub(crate) const UNSUBSCRIBED: Kind = Object(&[
    must("type", OneOf(&["unsubscribed"])),
    must("room", Name),
    must("message", Text),
    must("timestamp", Integer),
]);

pub(crate) const PONG: Kind = Object(&[must("type", OneOf(&["pong"])), must("timestamp", Integer)]);

pub(crate) const STREAM_ERROR: Kind = Object(&[
    must("type", OneOf(&["error"])),
    must("data", Object(&[must("message", Name)])),
    must("timestamp", Integer),
]);

pub(crate) const PRICE_UPDATE: Kind = Object(&[
    must("type", OneOf(&["price_update"])),
    must(
        "data",
        Object(&[
            must("id", Uuid),
            must("slug", Text),
            must("title", Text),
            must("status", Text),
            must("type", Text),
            must(
                "markets",
                ListOf(&Object(&[
                    must("id", Uuid),
                    must("question", Text),
                    must("outcomes", ListOf(&Text)),
                    must("engine", Text),
                    must("prices", Object(&[must("YES", Price), must("NO", Price)])),
                ])),
            ),
        ]),
    ),
    must("timestamp", Integer),
]);

pub(crate) const BOOK_UPDATE: Kind = Object(&[
    must("type", OneOf(&["orderbook_update"])),
    must("data", Object(&[must("orderbook", BOOK)])),
    must("timestamp", Integer),
]);

pub(crate) const ORDER_UPDATED: Kind = Object(&[
    must("type", OneOf(&["order_updated"])),
    must(
        "data",
        Object(&[
            must("orderId", Uuid),
            must("eventId", Uuid),
            must("marketId", Uuid),
            must(
                "order",
                Object(&[
                    must("id", Uuid),
                    must("userId", Uuid),
                    must("marketId", Uuid),
                    must("outcomeId", Uuid),
                    must("outcomeLabel", Text),
                    must("side", SIDE),
                    must("price", Price),
                    must("quantity", Number),
                    must("filledQuantity", Number),
                    must("remainingQuantity", Number),
                    must("avgFillPrice", Price),
                    must("status", Name),
                    must("timeInForce", Text),
                    must("createdAt", Integer),
                    must("updatedAt", Integer),
                ]),
            ),
            must("timestamp", Integer),
        ]),
    ),
    must("timestamp", Integer),
]);

const NULLABLE_TEXT: Kind = OrNull(&Text);

/// `buy_order` and `sell_order`.
pub(crate) const FILL: Kind = Object(&[
    must("type", OneOf(&["buy_order", "sell_order"])),
    must(
        "data",
        Object(&[
            must(
                "user",
                Object(&[must("id", Uuid), may("tag", NULLABLE_TEXT), may("imageUrl", NULLABLE_TEXT)]),
            ),
            must(
                "order",
                Object(&[
                    must("id", Uuid),
                    must("amount", Number),
                    must("quantity", Number),
                    must("price", Price),
                    must("status", Name),
                    must("type", SIDE),
                    must("outcome", Text),
                    must("currency", CURRENCY),
                    must("createdAt", Any),
                    must("updatedAt", Any),
                ]),
            ),
            must(
                "event",
                Object(&[must("id", Uuid), must("slug", Text), must("title", Text), must("type", Text)]),
            ),
            must("market", Object(&[must("id", Uuid), must("title", Text)])),
        ]),
    ),
    must("timestamp", Integer),
]);

pub(crate) const ASSET_PRICE: Kind = Object(&[
    must("type", OneOf(&["asset_price"])),
    must("data", Object(&[must("symbol", Name), must("price", Number), must("timestamp", Integer)])),
    must("timestamp", Integer),
]);
