/**
 * The recipe of the channel `changes`: applies snapshots, deltas and heartbeats to a local copy, and notices gaps.
 *
 * Nothing here touches a socket. `Room.accept` takes one message and returns the update for the caller.
 * `Room.needsRestart` is set when a change was missed, and the stream then subscribes again without a sequence.
 */
import { type Trust } from './book.js';
import type { Decimal } from './decimal.js';
import type { Encodable, JsonObject } from './json.js';
import { type Trade } from './models/data.js';
import { type OrderData } from './models/order.js';
/** What a step of a stream is. */
export type UpdateKind = 'snapshot' | 'delta' | 'heartbeat' | 'untrusted';
/** A local copy of something that the exchange changes. */
export interface Copy {
    readonly trust: Trust;
    /** Discards the state. */
    clear(): void;
    /** Applies a snapshot's or a delta's data. */
    apply(data: JsonObject): void;
}
/** Your side of a trade. */
export interface Fill {
    readonly tradeId: string;
    readonly orderId: string;
    readonly marketId: string;
    readonly outcome: string;
    readonly side: string;
    readonly price: Decimal;
    readonly quantity: Decimal;
    readonly fee: Decimal;
    readonly currency: string;
    readonly role: string;
}
/** One step of a stream. The local copy already includes it. */
export declare class Update {
    #private;
    readonly kind: UpdateKind;
    readonly room: string;
    /** The last request that the copy includes. */
    readonly sequence: number;
    /** Up to this request nothing else has changed. */
    readonly head: number;
    /** Milliseconds since 1970, by the exchange's journal; 0 for `untrusted`. */
    readonly timestamp: number;
    /** Why the copy is not to be trusted; empty otherwise. */
    readonly reason: string;
    /** The message's data. */
    readonly data: JsonObject;
    constructor(kind: UpdateKind, room: string, trust: Trust, timestamp: number, reason: string, data: JsonObject);
    /** The trades of a market's delta. */
    get trades(): Trade[];
    /** Every state that your orders reached in an account's delta, in order. */
    get orders(): OrderData[];
    /** Your sides of the trades of an account's delta. */
    get fills(): Fill[];
}
/** One subscription and the copy that it keeps current. */
export declare class Room<CopyType extends Copy> {
    #private;
    readonly name: string;
    readonly copy: CopyType;
    /** What a subscription names: a market and its currency, or the account. */
    readonly subject: {
        readonly [name: string]: Encodable;
    };
    constructor(name: string, copy: CopyType, subject?: {
        readonly [name: string]: Encodable;
    });
    /** Whether a change was missed: only a snapshot helps. */
    get needsRestart(): boolean;
    /** The sequence to continue from; undefined to start over. */
    get resumeFrom(): number | undefined;
    /** Applies one message of this room. Undefined: the copy already has it, or waits for a snapshot. */
    accept(message: JsonObject): Update | undefined;
    /** Marks the copy as not to be trusted. Undefined if it already was. */
    distrust(reason: string): Update | undefined;
}
