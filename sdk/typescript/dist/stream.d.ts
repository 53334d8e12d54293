/**
 * Streams that resume: a market's book, an account, and the channels without a sequence.
 *
 * Iterate over a stream with `for await`. After a disconnect it connects again, continues from the last sequence, and
 * yields an update of the kind `untrusted` in between. It ends when you leave the loop, when you close it, or with
 * `StreamRefused`. A loop that you have left can be continued by another loop over the same stream: it resumes as after
 * a disconnect.
 */
import { LocalBook } from './book.js';
import { Room, type Copy, type Update } from './changes.js';
import { type Connection, type StreamMessage } from './connection.js';
import type { Encodable, Json } from './json.js';
import { LocalAccount } from './ledger.js';
import { type Credentials } from './signing.js';
/** A connection that one `for await` loop reads. */
export declare abstract class Stream {
    #private;
    protected readonly connection: Connection;
    constructor(connection: Connection, signal: AbortSignal | undefined);
    /** Ends the stream. A loop over it ends, and its copies are no longer to be trusted. */
    close(): void;
    /** Called when the copies are no longer kept current. */
    protected abstract ended(reason: string): void;
    protected get isClosed(): boolean;
    protected open(): Promise<void>;
    protected enter(): void;
    protected leave(): void;
}
/** A stream of changes with local copies. Iterate over it; each step is an `Update`. */
export declare abstract class ChangeStream<CopyType extends Copy> extends Stream implements AsyncIterable<Update> {
    #private;
    constructor(connection: Connection, rooms: readonly Room<CopyType>[], signal: AbortSignal | undefined);
    /** The steps of the stream, for `for await`. */
    [Symbol.asyncIterator](): AsyncGenerator<Update, void, undefined>;
    /** Sends what a new connection begins with. */
    protected begin(): Promise<void>;
    /** The room of a message; undefined for messages that are no changes. */
    protected room(message: StreamMessage): Room<CopyType> | undefined;
    /** Marks every copy as not to be trusted. */
    protected distrust(reason: string): Update[];
    protected ended(reason: string): void;
}
/** One or more markets in one currency, with a local book for each. Made by `follow`. */
export declare class MarketStream extends ChangeStream<LocalBook> {
    /** The local books, by market id. */
    readonly books: ReadonlyMap<string, LocalBook>;
    constructor(connection: Connection, marketIds: readonly string[], currency: string, signal?: AbortSignal);
    /** The book of the only market. Throws an error if there are several. */
    get book(): LocalBook;
}
/** Your orders, fills, wallets and positions, with a local copy. Made by `followAccount`. */
export declare class AccountStream extends ChangeStream<LocalAccount> {
    #private;
    /** The local copy. */
    readonly account: LocalAccount;
    constructor(connection: Connection, credentials: Credentials | undefined, cancelOnDisconnect: boolean, signal?: AbortSignal);
    /** Whether the exchange cancels all your orders when this connection ends. */
    get isArmed(): boolean;
    protected begin(): Promise<void>;
    protected room(message: StreamMessage): Room<LocalAccount> | undefined;
    protected distrust(reason: string): Update[];
}
/** A message of a channel without changes, such as `price_update`; or `reconnected`: some may have been missed. */
export interface Message {
    readonly type: string;
    readonly data: Json;
    readonly room: string;
    readonly sequence: number;
    /** Milliseconds since 1970. */
    readonly timestamp: number;
}
/** Messages of a channel such as `prices`, `activity`, `orderbook`, `orders` or `asset_prices`. Made by `listen`. */
export declare class Listener extends Stream implements AsyncIterable<Message> {
    #private;
    constructor(connection: Connection, subscription: {
        readonly [name: string]: Encodable;
    }, signal?: AbortSignal);
    /** The messages, for `for await`. */
    [Symbol.asyncIterator](): AsyncGenerator<Message, void, undefined>;
    protected ended(): void;
}
/** The endpoint that has a channel. */
export declare function endpoint(channel: string): string;
