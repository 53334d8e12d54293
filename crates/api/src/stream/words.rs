//! Words that only streams use. They are in capitals where the other endpoints use lower case.

use crate::words::words;

words! {
    /// A channel that a client can subscribe to.
    Channel {
        Activity = "activity",
        Prices = "prices",
        Orderbook = "orderbook",
        UserTrades = "user_trades",
        Orders = "orders",
        AssetPrices = "asset_prices",
        Changes = "changes",
        Games = "games",
    }

    /// The kinds of messages that carry data.
    DataType {
        BuyOrder = "buy_order",
        SellOrder = "sell_order",
        PriceUpdate = "price_update",
        OrderbookUpdate = "orderbook_update",
        OrderUpdated = "order_updated",
        AssetPrice = "asset_price",
        GameUpdate = "game_update",
    }

    /// How the markets of an event hang together.
    StreamEventType {
        Single = "SINGLE_MARKET",
        Combined = "COMBINED_MARKETS",
        Grouped = "GROUPED_MARKETS",
    }

    /// The state of an order.
    StreamOrderStatus {
        Open = "OPEN",
        PartialFilled = "PARTIAL_FILLED",
        Filled = "FILLED",
        Cancelled = "CANCELLED",
        Rejected = "REJECTED",
        Expired = "EXPIRED",
    }

    /// Why an order is told of.
    StreamOrderCause {
        Placed = "PLACED",
        Filled = "FILLED",
        Amended = "AMENDED",
        Cancelled = "CANCELLED",
        SelfTrade = "SELF_TRADE",
        MarketClosed = "MARKET_CLOSED",
        Switch = "SWITCH",
        Disconnected = "DISCONNECTED",
        Expired = "EXPIRED",
    }
}
