/** Writes: orders, batches, cancels, amends, sets of shares. */
import { type Numeric } from '../decimal.js';
import { type Encodable } from '../json.js';
import { type Request } from './base.js';
/** Buy or sell. */
export type Side = 'BUY' | 'SELL';
/** How long an order may rest. */
export type TimeInForce = 'GTC' | 'GTD' | 'FAK' | 'FOK';
/** What happens where two of your orders would trade with each other. */
export type StpMode = 'SKIP' | 'CANCEL_OLDEST' | 'CANCEL_NEWEST' | 'CANCEL_BOTH';
/** The terms of an order. Give either `amount` (money, on both sides) or `quantity` (shares). */
export interface OrderTerms {
    /** Money. */
    readonly amount?: Numeric;
    /** Shares. */
    readonly quantity?: Numeric;
    /** The limit, from 0.01 to 0.99. Without one it is a market order. */
    readonly price?: Numeric;
    readonly timeInForce?: TimeInForce;
    /** Refuse the order where it would trade at once. */
    readonly postOnly?: boolean;
    /** When a GTD order ends. */
    readonly expiresAt?: Date | string;
    readonly maxSlippage?: Numeric;
    readonly stpMode?: StpMode;
    /** A name of your own for the order. */
    readonly clientOrderId?: string;
}
/** An order to place or to quote: a limit order with a price, a market order without one. */
export interface NewOrder extends OrderTerms {
    readonly outcomeId: string;
    readonly side: Side;
    /** USD by default. */
    readonly currency?: string;
}
/** A new price, a new total size in shares, or both, of an open order. */
export interface Amendment {
    readonly orderId: string;
    readonly price?: Numeric;
    /** The new total, including the filled part. */
    readonly size?: Numeric;
}
/** Conditions for `cancelAll`. */
export interface CancelConditions {
    readonly eventId?: string;
    readonly marketId?: string;
    readonly currency?: string;
}
/** An order as the exchange reads it. */
export declare function orderFields(order: NewOrder): Record<string, Encodable | undefined>;
/** Places one order. */
export declare function placeOrder(eventId: string, marketId: string, order: NewOrder, key?: string): Request;
/** Asks what an order would do. Without `asOrder`, what a market order without a bound would do. */
export declare function quoteOrder(eventId: string, marketId: string, order: NewOrder, asOrder: boolean): Request;
/** Places 1 to 20 orders, one after another. */
export declare function placeBatch(orders: readonly NewOrder[], key?: string): Request;
/** Amends 1 to 20 orders. New prices and sizes are absolute, so a repetition changes nothing. */
export declare function amendBatch(items: readonly Amendment[]): Request;
/** Cancels one order. */
export declare function cancelOrder(orderId: string): Request;
/** Cancels 1 to 100 orders. Some proxies drop the body of a DELETE, so this is the POST form. */
export declare function cancelBatch(orderIds: readonly string[]): Request;
/** Cancels all open orders that meet the conditions. Keyed: a late repetition must not cancel newer orders. */
export declare function cancelAll(conditions: CancelConditions, key?: string): Request;
/** Sets the dead man's switch: all orders are cancelled unless it is set again within this time. */
export declare function cancelAfter(seconds: number): Request;
/** Turns money into pairs of shares. */
export declare function mint(marketId: string, amount: Numeric, currency: string, key?: string): Request;
/** Turns pairs of shares into money. */
export declare function burn(marketId: string, amount: Numeric, currency: string, key?: string): Request;
/** Reads one order. */
export declare function getOrder(orderId: string): Request;
