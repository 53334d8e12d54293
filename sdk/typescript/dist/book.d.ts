/**
 * A copy of a market's book, kept current by the changes of its stream.
 *
 * A book can be stale: the connection may be down, or a change may have been missed. `isTrusted` says so. Ask it before
 * you trade on a book.
 */
import { Decimal } from './decimal.js';
import type { JsonObject } from './json.js';
import { type MarketTerms } from './models/market.js';
/** All resting shares at one price. */
export interface BookLevel {
    readonly price: Decimal;
    readonly quantity: Decimal;
}
/** YES for a market's first outcome, NO for its second. */
export type SideName = 'YES' | 'NO';
/** Whether a copy equals the exchange's state at `sequence`, and if not, why. */
export declare class Trust {
    /** The last request that the copy includes. */
    sequence: number;
    /** Up to this request nothing else has changed. */
    head: number;
    isTrusted: boolean;
    reason: string;
}
/** The four prices of a market. */
export interface MarketPrices {
    readonly outcome1Price: Decimal;
    readonly outcome2Price: Decimal;
    readonly yesBuyPrice: Decimal;
    readonly noBuyPrice: Decimal;
}
/** The book, the prices and the status of one market in one currency. */
export declare class LocalBook {
    #private;
    readonly marketId: string;
    readonly currency: string;
    readonly trust: Trust;
    eventId: string;
    engine: string;
    status: string;
    /** Undefined before the first snapshot. */
    prices: MarketPrices | undefined;
    /** The fee and the minimum of orders to come. Undefined before the first snapshot. */
    terms: MarketTerms | undefined;
    /** The price of the last trade, from the side of the first outcome. */
    lastPrice: Decimal | undefined;
    /** The taker's side in the last trade, from the side of the first outcome. */
    lastSide: string | undefined;
    /** The proposal, the last verdict and the result, as docs/streams.md describes them. */
    resolution: JsonObject;
    constructor(marketId: string, currency: string);
    /** Whether this is the exchange's book at `sequence`, over a live connection. */
    get isTrusted(): boolean;
    /** The last request that the book includes. */
    get sequence(): number;
    /** The bids of an outcome, the highest first. The book of NO mirrors that of YES. */
    bids(outcome?: SideName): BookLevel[];
    /** The asks of an outcome, the lowest first. */
    asks(outcome?: SideName): BookLevel[];
    /** The highest bid; undefined if there is none. */
    bestBid(outcome?: SideName): BookLevel | undefined;
    /** The lowest ask; undefined if there is none. */
    bestAsk(outcome?: SideName): BookLevel | undefined;
    /** The middle of the best bid and ask; undefined unless both exist. */
    mid(outcome?: SideName): Decimal | undefined;
    /** Discards the state, as a snapshot demands. */
    clear(): void;
    /** Applies the data of a snapshot or a delta. Quantities are absolute; 0 removes a level. */
    apply(data: JsonObject): void;
}
/** A sequence in a message. */
export declare function sequenceOf(message: JsonObject, name: string): number;
