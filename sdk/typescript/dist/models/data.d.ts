/** Market data: books, tickers, quotes, trades, candles, prices over time. */
import type { Decimal } from '../decimal.js';
import { type Shape } from './shape.js';
/** All resting shares at one price. */
export interface Level {
    readonly price: Decimal;
    readonly quantity: Decimal;
    readonly total: Decimal;
}
export declare const levelShape: Shape<Level>;
/** The book of one outcome, the best levels first. */
export interface BookData {
    readonly marketId: string;
    readonly outcomeId: string;
    readonly timestamp: Date;
    readonly bids: readonly Level[];
    readonly asks: readonly Level[];
    readonly lastTradedPrice?: Decimal;
    readonly lastTradedSide?: string;
}
export declare const bookShape: Shape<BookData>;
/** A book that was read. */
export interface Book extends BookData {
    /** The sequence of the exchange's state that the book is of. */
    readonly asOf?: number;
    /** The highest bid. */
    readonly bestBid?: Level;
    /** The lowest ask. */
    readonly bestAsk?: Level;
}
/** The state of an outcome now and over the last 24 hours. A number is 0 where there is nothing. */
export interface Ticker {
    readonly marketId: string;
    readonly outcomeId: string;
    readonly outcome: string;
    readonly currency: string;
    readonly lastPrice: Decimal;
    readonly bestBid: Decimal;
    readonly bestAsk: Decimal;
    readonly midPrice: Decimal;
    readonly spread: Decimal;
    readonly volume24h: Decimal;
    readonly high24h: Decimal;
    readonly low24h: Decimal;
    readonly priceChange24h: Decimal;
    readonly tradeCount24h: number;
    readonly timestamp: Date;
}
export declare const tickerShape: Shape<Ticker>;
/** Why the exchange would refuse an order. */
export interface QuotedRefusal {
    readonly code: string;
    readonly message: string;
}
export declare const quotedRefusalShape: Shape<QuotedRefusal>;
/** What would become of an order. */
export interface QuotedOrder {
    readonly status?: string;
    readonly restingSize: Decimal;
    readonly cancelledSize: Decimal;
    readonly cancelledOrders: number;
    readonly hold: Decimal;
    readonly refusal?: QuotedRefusal;
}
export declare const quotedOrderShape: Shape<QuotedOrder>;
/** What an order would do now. Not binding. */
export interface Quote {
    readonly price: Decimal;
    readonly currentMarketPrice: Decimal;
    readonly quantity: Decimal;
    readonly amount: Decimal;
    readonly costOfShares: Decimal;
    readonly fee: Decimal;
    readonly priceImpactAbsolute: Decimal;
    readonly profitPercentage: Decimal;
    readonly currencyBaseMultiplier: number;
    readonly completeFill: boolean;
    readonly tradeGoesOverMaxLiability: boolean;
    readonly order?: QuotedOrder;
}
export declare const quoteShape: Shape<Quote>;
/** A trade between two orders, or with a pool. `outcome` and `price` are the taker's. */
export interface Trade {
    readonly id: string;
    readonly marketId: string;
    readonly outcome: string;
    readonly price: Decimal;
    readonly size: Decimal;
    readonly currency: string;
    readonly engine: string;
    readonly matchType: string;
    readonly takerSide: string;
    readonly takerPrice: Decimal;
    readonly makerPrice: Decimal;
    readonly takerFee: Decimal;
    readonly takerOrderId: string;
    readonly makerOrderId: string;
    readonly takerOutcomeId: string;
    readonly makerOutcomeId: string;
    readonly takerUserId: string;
    readonly makerUserId: string;
    readonly createdAt: Date;
}
export declare const tradeShape: Shape<Trade>;
/** Prices and volume of one interval. `volume` is in shares. */
export interface Candle {
    readonly start: Date;
    readonly open: Decimal;
    readonly high: Decimal;
    readonly low: Decimal;
    readonly close: Decimal;
    readonly volume: Decimal;
    readonly count: number;
}
export declare const candleShape: Shape<Candle>;
/** The price of a market's first outcome at one moment, as the exchange spells it. */
export interface SeriesPoint {
    readonly e: number;
    readonly p: Decimal;
}
export declare const seriesPointShape: Shape<SeriesPoint>;
/** The price of a market's first outcome at one moment. */
export interface PricePoint {
    /** Milliseconds since 1970. */
    readonly milliseconds: number;
    readonly price: Decimal;
}
