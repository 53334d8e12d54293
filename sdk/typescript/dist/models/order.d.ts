/** Orders as data, and the results of batches. */
import type { Decimal } from '../decimal.js';
import { type Shape } from './shape.js';
/** An order, as the exchange described it last. */
export interface OrderData {
    readonly id: string;
    readonly eventId: string;
    readonly marketId: string;
    readonly outcomeId: string;
    readonly outcome: string;
    readonly outcomeLabel: string;
    readonly side: string;
    readonly orderType: string;
    readonly timeInForce: string;
    readonly status: string;
    readonly price: Decimal;
    readonly amount: Decimal;
    readonly size: Decimal;
    readonly filledSize: Decimal;
    readonly remainingSize: Decimal;
    readonly quantity: Decimal;
    readonly avgFillPrice: Decimal;
    readonly fee: Decimal;
    readonly currency: string;
    readonly postOnly: boolean;
    readonly stpMode: string;
    readonly clientOrderId?: string;
    readonly expiresAt?: Date;
    readonly createdAt: Date;
    readonly updatedAt: Date;
}
export declare const orderShape: Shape<OrderData>;
/** Whether an order with this status rests in the book and can still fill. */
export declare function isOpenStatus(status: string): boolean;
/** Why one item of a batch failed. */
export interface ItemError {
    readonly code: string;
    readonly message: string;
    readonly reason?: string;
}
export declare const itemErrorShape: Shape<ItemError>;
/** How many items of a batch succeeded. */
export interface Summary {
    readonly total: number;
    readonly succeeded: number;
    readonly failed: number;
}
export declare const summaryShape: Shape<Summary>;
/** The result of one cancel. After a retry, ORDER_NOT_OPEN may mean that the first try cancelled the order. */
export interface BatchCancelItem {
    readonly orderId: string;
    readonly success: boolean;
    readonly error?: ItemError;
}
export declare const batchCancelItemShape: Shape<BatchCancelItem>;
/** The result of a batch of cancels. */
export interface BatchCancel {
    readonly results: readonly BatchCancelItem[];
    readonly summary: Summary;
}
export declare const batchCancelShape: Shape<BatchCancel>;
/** The result of a mint or a burn. `quantity` is pairs; `proceeds` is the money that a burn paid. */
export interface Minted {
    readonly operationId: string;
    readonly marketId: string;
    readonly quantity: Decimal;
    readonly outcome1Price: Decimal;
    readonly outcome2Price: Decimal;
    readonly proceeds?: Decimal;
}
export declare const mintedShape: Shape<Minted>;
