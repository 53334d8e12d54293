/** An order that can be watched, changed and cancelled. */
import type { Client } from './client.js';
import type { Numeric } from './decimal.js';
import type { Json } from './json.js';
import { type ItemError, type OrderData, type Summary } from './models/order.js';
import type { Answer } from './wire.js';
/** An order of yours. Its fields are those of the last answer; each method brings them up to date. */
export interface Order extends OrderData {
}
/** An order of yours. Its fields are those of the last answer; each method brings them up to date. */
export declare class Order {
    #private;
    constructor(client: Client, payload: Json | undefined, asOf?: number);
    /** The sequence of the exchange's state that this was read from; undefined if the answer had none. */
    get asOf(): number | undefined;
    /** Whether the order rests in the book and can still fill. */
    get isOpen(): boolean;
    /** Whether all of the order has filled. */
    get isFilled(): boolean;
    /** Reads the order again. */
    refresh(): Promise<this>;
    /** Cancels the rest of the order. Fills remain. */
    cancel(): Promise<this>;
    /** Sets a new price, a new total size in shares (the filled part included), or both. */
    amend(terms: {
        readonly price?: Numeric;
        readonly size?: Numeric;
    }): Promise<this>;
    /**
     * Waits until the order is filled, cancelled, expired or rejected. Throws `WaitTimedOut` after `timeoutSeconds`; the
     * order then stays as it is.
     */
    wait(options?: {
        readonly timeoutSeconds?: number;
    }): Promise<this>;
}
/** The result of one item of a batch: an order, or an error. */
export declare class BatchItem {
    readonly index: number;
    readonly success: boolean;
    readonly order?: Order;
    readonly orderId?: string;
    readonly clientOrderId?: string;
    readonly error?: ItemError;
    constructor(client: Client, payload: Json, asOf?: number);
    /** The order. Throws the item's error if it failed. */
    placed(): Order;
}
/** The results of a batch, in the order of its items. Items succeed and fail one by one. */
export declare class Batch {
    readonly results: readonly BatchItem[];
    readonly summary: Summary;
    constructor(client: Client, answer: Answer);
    /** The orders of the items that succeeded. */
    get orders(): Order[];
    /** The items that failed. */
    get failures(): BatchItem[];
}
