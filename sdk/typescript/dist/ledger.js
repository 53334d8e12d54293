/** A copy of an account, kept current by the changes of its stream: open orders, wallets, positions. */
import { Trust } from './book.js';
import { isOpenStatus, orderShape } from './models/order.js';
import { decimal, items, member, readShape, text } from './models/shape.js';
const positionShape = {
    marketId: text,
    outcomeId: text,
    outcome: text,
    currency: text,
    balance: decimal,
    availableBalance: decimal,
    cost: decimal,
};
/** Open orders by id, wallets by currency, and positions. */
export class LocalAccount {
    trust = new Trust();
    orders = new Map();
    wallets = new Map();
    #positions = new Map();
    /** Whether this is the exchange's account at `sequence`, over a live connection. */
    get isTrusted() {
        return this.trust.isTrusted;
    }
    /** The last request that the copy includes. */
    get sequence() {
        return this.trust.sequence;
    }
    /** All positions. */
    get positions() {
        return [...this.#positions.values()];
    }
    /** The shares of an outcome in a currency; undefined if there are none. */
    position(outcomeId, currency = 'USD') {
        return this.#positions.get(placeOf(outcomeId, currency));
    }
    /** Discards the state, as a snapshot demands. */
    clear() {
        this.orders.clear();
        this.wallets.clear();
        this.#positions.clear();
    }
    /** Applies the data of a snapshot or a delta. Each item replaces the older one. */
    apply(data) {
        for (const change of items(data['orders'] ?? [], 'orders'))
            this.#applyOrder(change);
        for (const wallet of items(data['wallets'] ?? [], 'wallets'))
            this.#applyWallet(wallet);
        for (const position of items(data['positions'] ?? [], 'positions'))
            this.#applyPosition(position);
    }
    #applyOrder(change) {
        const order = readShape(orderShape, member(change, 'orders')['order'], 'order');
        if (isOpenStatus(order.status))
            this.orders.set(order.id, order);
        else
            this.orders.delete(order.id);
    }
    #applyWallet(value) {
        const wallet = member(value, 'wallets');
        this.wallets.set(text.read(wallet['currency'], 'wallet.currency'), {
            available: decimal.read(wallet['availableBalance'], 'wallet.availableBalance'),
            pending: decimal.read(wallet['pendingBalance'], 'wallet.pendingBalance'),
        });
    }
    #applyPosition(value) {
        const position = readShape(positionShape, value, 'position');
        const place = placeOf(position.outcomeId, position.currency);
        if (position.balance.isZero())
            this.#positions.delete(place);
        else
            this.#positions.set(place, position);
    }
}
function placeOf(outcomeId, currency) {
    return `${outcomeId} ${currency}`;
}
