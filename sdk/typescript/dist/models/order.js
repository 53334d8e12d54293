/** Orders as data, and the results of batches. */
import { count, decimal, flag, list, object, optional, text, time } from './shape.js';
const OPEN_STATUSES = new Set(['pending', 'open', 'partial_filled']);
export const orderShape = {
    id: text,
    eventId: text,
    marketId: text,
    outcomeId: text,
    outcome: text,
    outcomeLabel: text,
    side: text,
    orderType: text,
    timeInForce: text,
    status: text,
    price: decimal,
    amount: decimal,
    size: decimal,
    filledSize: decimal,
    remainingSize: decimal,
    quantity: decimal,
    avgFillPrice: decimal,
    fee: decimal,
    currency: text,
    postOnly: flag,
    stpMode: text,
    clientOrderId: optional(text),
    expiresAt: optional(time),
    createdAt: time,
    updatedAt: time,
};
/** Whether an order with this status rests in the book and can still fill. */
export function isOpenStatus(status) {
    return OPEN_STATUSES.has(status);
}
export const itemErrorShape = { code: text, message: text, reason: optional(text) };
export const summaryShape = { total: count, succeeded: count, failed: count };
export const batchCancelItemShape = {
    orderId: text,
    success: flag,
    error: optional(object(itemErrorShape)),
};
export const batchCancelShape = {
    results: list(object(batchCancelItemShape)),
    summary: object(summaryShape),
};
export const mintedShape = {
    operationId: text,
    marketId: text,
    quantity: decimal,
    outcome1Price: decimal,
    outcome2Price: decimal,
    proceeds: optional(decimal),
};
