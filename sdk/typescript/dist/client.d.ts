/** The client of an exchange. */
import type { Encodable } from './json.js';
import { Event, type Keyed, type Market } from './market.js';
import { type Activity, type AuthCheck, type IssuedKey, type Movement, type Pnl, type Position, type Version, type Wallet } from './models/account.js';
import { type Book, type PricePoint, type Trade } from './models/data.js';
import { type LeanEvent, type Series } from './models/market.js';
import { type BatchCancel } from './models/order.js';
import { Batch, Order } from './order.js';
import { Pager } from './pager.js';
import { type Request } from './requests/base.js';
import { type Amendment, type CancelConditions, type NewOrder } from './requests/trading.js';
import { AccountStream, Listener, MarketStream } from './stream.js';
import type { Answer } from './wire.js';
/** How a client behaves. */
export interface ClientOptions {
    /** The currency of what is read and traded, unless a call names another: USD by default. */
    readonly currency?: string;
    /** How long a request is tried, from 0 (once) to 300 seconds; 60 by default. */
    readonly retrySeconds?: number;
    /** How long one try may take; 10 seconds by default. */
    readonly timeoutSeconds?: number;
    /** Called with a line for each repeated request and each deprecated route. */
    readonly log?: (line: string) => void;
}
/** Where the exchange is, and as whom to act. */
export interface ClientSettings extends ClientOptions {
    /** Such as `http://127.0.0.1:8080`, without a path before `/v1`. */
    readonly baseUrl: string;
    /** Reads the account. */
    readonly publicKey?: string;
    /** Signs what changes the account. */
    readonly secretKey?: string;
}
/** Another currency than the client's. */
export interface InCurrency {
    readonly currency?: string;
}
/** The rows of a page. */
export interface Paged {
    readonly size?: number;
}
/** Which events to list. */
export interface EventFilters extends Paged, InCurrency {
    readonly keyword?: string;
    readonly q?: string;
    readonly category?: string;
    readonly subcategory?: string;
    readonly status?: string;
    readonly type?: string;
    readonly engine?: string;
    readonly trending?: boolean;
    readonly watchlist?: boolean;
    readonly seriesSlug?: string;
    readonly sportGameSlug?: string;
}
/** Which trades to list. */
export interface TradeFilters extends Paged {
    /** CLOB by default; AMM for pools, or ALL. */
    readonly engine?: string;
    readonly marketId?: string;
    readonly orderId?: string;
    readonly outcomeId?: string;
    readonly userId?: string;
    readonly fromDate?: Date | string;
    readonly toDate?: Date | string;
}
/** Which of your orders to list. */
export interface OrderFilters extends Paged, InCurrency {
    readonly side?: string;
    readonly status?: string;
    readonly eventId?: string;
    readonly marketId?: string;
    readonly outcomeId?: string;
    readonly clientOrderId?: string;
}
/** Which of your positions to list. */
export interface PositionFilters extends Paged, InCurrency {
    readonly marketId?: string;
    readonly eventId?: string;
}
/** Which activities to list. */
export interface ActivityFilters extends Paged {
    /** buys, sells, limits, payout or sets. */
    readonly type?: string;
}
/** The period of a result. */
export interface PnlOptions extends InCurrency {
    /** 12H, 24H, 1W, 1M or 1Y. */
    readonly timePeriod?: string;
    readonly start?: Date | string;
    readonly end?: Date | string;
}
/** How a stream behaves. */
export interface FollowOptions extends InCurrency {
    /** A longer silence counts as the end of the connection; 10 seconds by default. */
    readonly silenceSeconds?: number;
    /** Ends the stream when it is aborted, such as `AbortSignal.timeout(5000)`. */
    readonly signal?: AbortSignal;
}
/**
 * A client of an exchange, with the key of one account or without a key.
 *
 * Without keys it reads public data. With `publicKey` it reads the account; with `secretKey` it trades.
 */
export declare class Client {
    #private;
    /** The address of the exchange. */
    readonly baseUrl: string;
    /** The currency of what is read and traded, unless a call names another. */
    readonly currency: string;
    constructor(settings: ClientSettings);
    /** A client from `BASE_URL`, `PUBLIC_KEY`, `SECRET_KEY`, or from the demo's file that `DEMO` names. On Node. */
    static fromEnv(options?: ClientOptions): Client;
    /** A client of a running `bellwether demo`, as its n-th person. On Node. */
    static fromDemo(file?: string, user?: number, options?: ClientOptions): Client;
    /** An event by its slug or its id. */
    event(name: string, options?: InCurrency): Promise<Event>;
    /** A market by its id. */
    market(marketId: string, options?: InCurrency): Promise<Market>;
    /** Events. */
    events(filters?: EventFilters): Pager<Event>;
    /** Series of events, such as one for each hour of a price. */
    series(): Pager<Series>;
    /** The current events of a series, the oldest first. */
    seriesEvents(slug: string): Promise<LeanEvent[]>;
    /** The books of several outcomes, all at one sequence. */
    books(outcomeIds: readonly string[], options?: InCurrency & {
        readonly depth?: number;
    }): Promise<Book[]>;
    /** Trades, the newest first. */
    trades(filters?: TradeFilters): Pager<Trade>;
    /** Prices of each market's first outcome over 12H, 24H, 1W, 1M or 1Y (24H by default), by market id. */
    priceHistory(eventId: string, options?: InCurrency & {
        readonly timePeriod?: string;
    }): Promise<Map<string, PricePoint[]>>;
    /** One of your orders. */
    order(orderId: string): Promise<Order>;
    /** Your orders, the newest first. */
    orders(filters?: OrderFilters): Pager<Order>;
    /** Places 1 to 20 orders, one after another. Look at `batch.failures`: items fail one by one. */
    place(orders: readonly NewOrder[], options?: Keyed): Promise<Batch>;
    /** Amends 1 to 20 orders. */
    amend(amendments: readonly Amendment[]): Promise<Batch>;
    /** Cancels 1 to 100 orders. */
    cancel(orderIds: readonly string[]): Promise<BatchCancel>;
    /** Cancels all your open orders that meet the conditions, and returns them. */
    cancelAll(conditions?: CancelConditions, options?: Keyed): Promise<Order[]>;
    /** Sets the dead man's switch, and returns when it cancels all your orders. 0 disarms it, and returns undefined. */
    cancelAfter(seconds: number): Promise<Date | undefined>;
    /** Your money, by currency. */
    wallets(): Promise<Map<string, Wallet>>;
    /** Your shares. */
    positions(filters?: PositionFilters): Pager<Position>;
    /** What happened to your orders and positions. */
    activities(filters?: ActivityFilters): Pager<Activity>;
    /** Every movement of your money in one currency, the newest first. */
    statement(filters?: InCurrency & Paged): Pager<Movement>;
    /** What you won and lost, over a period or from `start` to `end`. */
    pnl(options?: PnlOptions): Promise<Pnl>;
    /** Puts an event on your watchlist, or takes it off. */
    watch(eventId: string, isWatched?: boolean): Promise<void>;
    /** Runs the exchange's verifier on a signed request that changes nothing: are the keys and the clock right? */
    checkSignature(): Promise<AuthCheck>;
    /** Logs in and creates an API key. Keep the secret: the exchange shows it once. Not from a page of another origin. */
    createKey(email: string, password: string, name: string): Promise<IssuedKey>;
    /** The build of the exchange. */
    version(): Promise<Version>;
    /** A stream of one or more markets, or their ids, with local books. */
    follow(markets: readonly (Market | string)[], options?: FollowOptions): MarketStream;
    /** A stream of your account. With `cancelOnDisconnect`, its end cancels all your orders. */
    followAccount(options?: Omit<FollowOptions, 'currency'> & {
        readonly cancelOnDisconnect?: boolean;
    }): AccountStream;
    /** Messages of a channel, such as `listen('prices', { eventIds })` or `listen('asset_prices', { symbols })`. */
    listen(channel: string, subject: {
        readonly [name: string]: Encodable;
    }, options?: Omit<FollowOptions, 'currency'>): Listener;
    /** Sends any request of `requests`, signed and repeated as it allows. */
    send(request: Request): Promise<Answer>;
}
