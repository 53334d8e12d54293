/**
 * A copy of a market's book, kept current by the changes of its stream.
 *
 * A book can be stale: the connection may be down, or a change may have been missed. `isTrusted` says so. Ask it before
 * you trade on a book.
 */
import { Decimal } from './decimal.js';
import { marketTermsShape } from './models/market.js';
import { count, decimal, items, member, optional, readShape, text } from './models/shape.js';
const levelShape = { price: decimal, quantity: decimal };
/** Whether a copy equals the exchange's state at `sequence`, and if not, why. */
export class Trust {
    /** The last request that the copy includes. */
    sequence = 0;
    /** Up to this request nothing else has changed. */
    head = 0;
    isTrusted = false;
    reason = 'no snapshot yet';
}
const pricesShape = {
    outcome1Price: decimal,
    outcome2Price: decimal,
    yesBuyPrice: decimal,
    noBuyPrice: decimal,
};
/** The book, the prices and the status of one market in one currency. */
export class LocalBook {
    marketId;
    currency;
    trust = new Trust();
    eventId = '';
    engine = '';
    status = '';
    /** Undefined before the first snapshot. */
    prices;
    /** The fee and the minimum of orders to come. Undefined before the first snapshot. */
    terms;
    /** The price of the last trade, from the side of the first outcome. */
    lastPrice;
    /** The taker's side in the last trade, from the side of the first outcome. */
    lastSide;
    /** The proposal, the last verdict and the result, as docs/streams.md describes them. */
    resolution = {};
    // By the text of the price: equal decimals have equal texts.
    #bids = new Map();
    #asks = new Map();
    constructor(marketId, currency) {
        this.marketId = marketId;
        this.currency = currency;
    }
    /** Whether this is the exchange's book at `sequence`, over a live connection. */
    get isTrusted() {
        return this.trust.isTrusted;
    }
    /** The last request that the book includes. */
    get sequence() {
        return this.trust.sequence;
    }
    /** The bids of an outcome, the highest first. The book of NO mirrors that of YES. */
    bids(outcome = 'YES') {
        return isSecond(outcome) ? mirrored(ascending(this.#asks)) : ascending(this.#bids).reverse();
    }
    /** The asks of an outcome, the lowest first. */
    asks(outcome = 'YES') {
        return isSecond(outcome) ? mirrored(ascending(this.#bids).reverse()) : ascending(this.#asks);
    }
    /** The highest bid; undefined if there is none. */
    bestBid(outcome = 'YES') {
        return this.bids(outcome)[0];
    }
    /** The lowest ask; undefined if there is none. */
    bestAsk(outcome = 'YES') {
        return this.asks(outcome)[0];
    }
    /** The middle of the best bid and ask; undefined unless both exist. */
    mid(outcome = 'YES') {
        const bid = this.bestBid(outcome);
        const ask = this.bestAsk(outcome);
        return bid && ask && bid.price.plus(ask.price).times('0.5');
    }
    /** Discards the state, as a snapshot demands. */
    clear() {
        this.#bids.clear();
        this.#asks.clear();
        this.prices = undefined;
        this.terms = undefined;
        this.resolution = {};
        this.status = '';
        this.lastPrice = undefined;
        this.lastSide = undefined;
    }
    /** Applies the data of a snapshot or a delta. Quantities are absolute; 0 removes a level. */
    apply(data) {
        replace(this.#bids, data, 'bids');
        replace(this.#asks, data, 'asks');
        this.eventId = optional(text).read(data['eventId'], 'eventId') ?? this.eventId;
        this.engine = optional(text).read(data['engine'], 'engine') ?? this.engine;
        this.status = optional(text).read(data['status'], 'status') ?? this.status;
        if (data['prices'] !== undefined)
            this.prices = readShape(pricesShape, data['prices'], 'prices');
        if (data['terms'] !== undefined)
            this.terms = readShape(marketTermsShape, data['terms'], 'terms');
        if (data['resolution'] !== undefined)
            this.resolution = member(data['resolution'], 'resolution');
        if (data['lastTrade'] !== undefined) {
            const last = member(data['lastTrade'], 'lastTrade');
            this.lastPrice = decimal.read(last['price'], 'lastTrade.price');
            this.lastSide = text.read(last['side'], 'lastTrade.side');
        }
    }
}
/** A sequence in a message. */
export function sequenceOf(message, name) {
    return count.read(message[name], name);
}
function isSecond(outcome) {
    if (outcome !== 'YES' && outcome !== 'NO')
        throw new RangeError(`an outcome is YES or NO, not ${String(outcome)}`);
    return outcome === 'NO';
}
function ascending(levels) {
    return [...levels.values()].sort((one, other) => one.price.compare(other.price));
}
function mirrored(levels) {
    return levels.map(({ price, quantity }) => ({ price: new Decimal(1).minus(price), quantity }));
}
function replace(levels, data, side) {
    if (data[side] === undefined)
        return;
    for (const item of items(data[side], side)) {
        const level = readShape(levelShape, item, side);
        if (level.quantity.isZero())
            levels.delete(level.price.toString());
        else
            levels.set(level.price.toString(), level);
    }
}
