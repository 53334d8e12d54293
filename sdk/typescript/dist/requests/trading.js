/** Writes: orders, batches, cancels, amends, sets of shares. */
import { Decimal } from '../decimal.js';
import { encode } from '../json.js';
import { moment, part } from '../text.js';
import { keyedWrite, read, write } from './base.js';
const ORDER_NAMES = new Set([
    'outcomeId',
    'side',
    'currency',
    'amount',
    'quantity',
    'price',
    'timeInForce',
    'postOnly',
    'expiresAt',
    'maxSlippage',
    'stpMode',
    'clientOrderId',
]);
/** An order as the exchange reads it. */
export function orderFields(order) {
    // A mistyped or missing price would make a market order of a limit order.
    const unknown = Object.keys(order).find((name) => !ORDER_NAMES.has(name));
    if (unknown !== undefined)
        throw new RangeError(`an order has no ${unknown}`);
    if ('price' in order && order.price === undefined) {
        throw new RangeError('the price is undefined: leave it out to place a market order');
    }
    if ((order.amount === undefined) === (order.quantity === undefined)) {
        throw new RangeError('an order has either an amount (money) or a quantity (shares)');
    }
    return {
        outcomeId: order.outcomeId,
        side: order.side,
        type: order.price === undefined ? 'MARKET' : 'LIMIT',
        currency: order.currency ?? 'USD',
        amount: exact(order.amount),
        quantity: exact(order.quantity),
        price: exact(order.price),
        timeInForce: order.timeInForce,
        postOnly: order.postOnly,
        expiresAt: order.expiresAt === undefined ? undefined : moment(order.expiresAt),
        maxSlippage: exact(order.maxSlippage),
        stpMode: order.stpMode,
        clientOrderId: order.clientOrderId,
    };
}
/** Places one order. */
export function placeOrder(eventId, marketId, order, key) {
    return keyedWrite('POST', `${marketPath(eventId, marketId)}/orders`, orderFields(order), key);
}
/** Asks what an order would do. Without `asOrder`, what a market order without a bound would do. */
export function quoteOrder(eventId, marketId, order, asOrder) {
    const { outcomeId, side, currency, amount, quantity, ...rest } = orderFields(order);
    const body = { outcomeId, side, currency, amount, quantity, ...(asOrder ? rest : {}) };
    const path = `${marketPath(eventId, marketId)}/quote`;
    return { method: 'POST', path, query: '', body: encode(body), access: 'public', repeat: 'harmless' };
}
/** Places 1 to 20 orders, one after another. */
export function placeBatch(orders, key) {
    return keyedWrite('POST', '/v1/pm/orders/batch', { orders: orders.map(orderFields) }, key);
}
/** Amends 1 to 20 orders. New prices and sizes are absolute, so a repetition changes nothing. */
export function amendBatch(items) {
    const fields = items.map((item) => ({
        orderId: item.orderId,
        newPrice: exact(item.price),
        newSize: exact(item.size),
    }));
    return write('POST', '/v1/pm/orders/batch/amend', { items: fields });
}
/** Cancels one order. */
export function cancelOrder(orderId) {
    return write('DELETE', `/v1/pm/orders/${part(orderId)}`);
}
/** Cancels 1 to 100 orders. Some proxies drop the body of a DELETE, so this is the POST form. */
export function cancelBatch(orderIds) {
    return write('POST', '/v1/pm/orders/batch/cancel', { orderIds });
}
/** Cancels all open orders that meet the conditions. Keyed: a late repetition must not cancel newer orders. */
export function cancelAll(conditions, key) {
    // A condition that got lost would cancel everything. The exchange itself refuses names that it does not know.
    const lost = Object.entries(conditions).find(([, value]) => value === undefined);
    if (lost)
        throw new RangeError(`the condition ${lost[0]} is undefined: leave it out to cancel regardless of it`);
    return keyedWrite('POST', '/v1/pm/orders/cancel-all', { ...conditions }, key);
}
/** Sets the dead man's switch: all orders are cancelled unless it is set again within this time. */
export function cancelAfter(seconds) {
    return write('POST', '/v1/pm/orders/cancel-after', { seconds });
}
/** Turns money into pairs of shares. */
export function mint(marketId, amount, currency, key) {
    return sets('mint', marketId, amount, currency, key);
}
/** Turns pairs of shares into money. */
export function burn(marketId, amount, currency, key) {
    return sets('burn', marketId, amount, currency, key);
}
/** Reads one order. */
export function getOrder(orderId) {
    return read(`/v1/pm/orders/${part(orderId)}`, {}, 'read');
}
function sets(verb, marketId, amount, currency, key) {
    const body = { quantity: new Decimal(amount), currency };
    return keyedWrite('POST', `/v1/pm/markets/${part(marketId)}/${verb}`, body, key);
}
function marketPath(eventId, marketId) {
    return `/v1/pm/events/${part(eventId)}/markets/${part(marketId)}`;
}
function exact(value) {
    return value === undefined ? undefined : new Decimal(value);
}
