/** Events, markets and outcomes that can be read and traded. */
import type { SideName } from './book.js';
import type { Client, FollowOptions, OrderFilters, TradeFilters } from './client.js';
import { Decimal, type Numeric } from './decimal.js';
import type { Json } from './json.js';
import { type Book, type Candle, type Quote, type Ticker, type Trade } from './models/data.js';
import { type EventData, type MarketData } from './models/market.js';
import { type Minted } from './models/order.js';
import { Order } from './order.js';
import type { Pager } from './pager.js';
import { type NewOrder, type OrderTerms, type Side } from './requests/trading.js';
import type { MarketStream } from './stream.js';
/** A write that may carry a key of your own. Without one it gets a random key. */
export interface Keyed {
    /** The same key and the same terms are executed once, for a day. Without it each order gets a key for ten minutes. */
    readonly idempotencyKey?: string;
}
/** Which candles to read. */
export interface CandleOptions {
    /** 1m, 5m, 15m, 1h, 6h or 1d; 1h by default. */
    readonly interval?: string;
    /** YES by default. */
    readonly outcome?: SideName;
    readonly since?: Date | string;
    readonly until?: Date | string;
}
/** A question with two outcomes: `market.yes` and `market.no`. */
export interface Market extends MarketData {
}
/** A question with two outcomes: `market.yes` and `market.no`. */
export declare class Market {
    #private;
    /** The id of the market's event. */
    readonly eventId: string;
    /** The currency that the market was read in, and that its methods trade in. */
    readonly currency: string;
    /** The first outcome, whatever its label. */
    readonly yes: Outcome;
    /** The second outcome. */
    readonly no: Outcome;
    constructor(client: Client, payload: Json, eventId: string, currency: string);
    /** The outcome with this label, such as "Up", or YES or NO. */
    outcome(label: string): Outcome;
    /** Reads the market again: prices, status, result. */
    refresh(): Promise<this>;
    /** Turns money into pairs of YES and NO shares. */
    mint(amount: Numeric, options?: Keyed): Promise<Minted>;
    /** Turns pairs of YES and NO shares into this much money. */
    burn(amount: Numeric, options?: Keyed): Promise<Minted>;
    /** Cancels your open orders in this market and currency. */
    cancelAll(): Promise<Order[]>;
    /** The market's trades, the newest first. */
    trades(filters?: TradeFilters): Pager<Trade>;
    /** Your orders in this market, the newest first. */
    orders(filters?: OrderFilters): Pager<Order>;
    /** Open, high, low, close and volume of each interval. */
    candles(options?: CandleOptions): Promise<Candle[]>;
    /** A stream of this market, with a local book. */
    follow(options?: FollowOptions): MarketStream;
}
/** One side of a market, and the way to trade it. */
export declare class Outcome {
    #private;
    /** YES for the first outcome, NO for the second. */
    readonly sideName: SideName;
    constructor(market: Market, client: Client, sideName: SideName);
    /** The outcome's id. */
    get id(): string;
    /** The outcome's label, such as YES or Up. */
    get label(): string;
    /** The price when the market was read. */
    get price(): Decimal;
    /** What a share cost when the market was read; 0 if none was offered. */
    get buyPrice(): Decimal;
    /** An order of this outcome, not placed yet: for a batch, or for `quoteOrder`. */
    newOrder(side: Side, terms: OrderTerms): NewOrder;
    /**
     * Buys for an amount of money (`buy(10)`), or as the terms say (`buy({ quantity: 50, price: '0.4' })`). With a
     * `price` it is a limit order.
     */
    buy(amount: Numeric, terms?: OrderTerms & Keyed): Promise<Order>;
    buy(terms: OrderTerms & Keyed): Promise<Order>;
    /** Sells `quantity` shares, or shares for `amount` of money. The name is needed: both are plausible. */
    sell(terms: OrderTerms & Keyed): Promise<Order>;
    /** Places an order made by `newOrder`. */
    place(order: NewOrder, options?: Keyed): Promise<Order>;
    /** What a market order would do now: for an amount of money, or for a quantity of shares. */
    quote(side: Side, size: Numeric | {
        readonly quantity: Numeric;
    }): Promise<Quote>;
    /** What exactly this order would do now; `quote.order` has its status, its rest and its refusal. */
    quoteOrder(order: NewOrder): Promise<Quote>;
    /** The book of this outcome. */
    book(depth?: number): Promise<Book>;
    /** The state of this outcome now and over the last 24 hours. Pools have no ticker. */
    ticker(): Promise<Ticker>;
}
/** A subject with one or more markets. */
export interface Event extends EventData {
}
/** A subject with one or more markets. */
export declare class Event {
    #private;
    /** The event's markets. */
    readonly markets: readonly Market[];
    constructor(client: Client, payload: Json, currency: string, asOf?: number);
    /** The sequence of the exchange's state that this was read from; undefined if the answer had none. */
    get asOf(): number | undefined;
    /** The only market. Throws an error if there are several. */
    get market(): Market;
    /** The market with this id, or with this title in any case. */
    find(title: string): Market;
}
