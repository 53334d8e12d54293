/**
 * Streams that resume: a market's book, an account, and the channels without a sequence.
 *
 * Iterate over a stream with `for await`. After a disconnect it connects again, continues from the last sequence, and
 * yields an update of the kind `untrusted` in between. It ends when you leave the loop, when you close it, or with
 * `StreamRefused`. A loop that you have left can be continued by another loop over the same stream: it resumes as after
 * a disconnect.
 */
import { LocalBook } from './book.js';
import { Room } from './changes.js';
import { arming } from './connection.js';
import { Decimal } from './decimal.js';
import { BellwetherError, UnreadableAnswer } from './errors.js';
import { LocalAccount } from './ledger.js';
import { USER_STREAM } from './signing.js';
import { Disconnected } from './socket/inbox.js';
const LEFT = 'the loop over the stream has ended';
const CLOSED = 'the stream was closed';
/** A connection that one `for await` loop reads. */
export class Stream {
    connection;
    #closing = new AbortController();
    #hasReader = false;
    constructor(connection, signal) {
        this.connection = connection;
        if (signal?.aborted)
            this.#closing.abort();
        signal?.addEventListener('abort', () => this.close(), { once: true, signal: this.#closing.signal });
    }
    /** Ends the stream. A loop over it ends, and its copies are no longer to be trusted. */
    close() {
        this.#closing.abort();
        this.ended(CLOSED);
        this.connection.close();
    }
    get isClosed() {
        return this.#closing.signal.aborted;
    }
    open() {
        return this.connection.open(this.#closing.signal);
    }
    enter() {
        if (this.#hasReader)
            throw new BellwetherError('a stream has one reader: follow the market a second time');
        this.#hasReader = true;
    }
    leave() {
        this.#hasReader = false;
        if (!this.isClosed)
            this.ended(LEFT);
        this.connection.close();
    }
}
/** A stream of changes with local copies. Iterate over it; each step is an `Update`. */
export class ChangeStream extends Stream {
    #rooms;
    constructor(connection, rooms, signal) {
        super(connection, signal);
        this.#rooms = rooms;
    }
    /** The steps of the stream, for `for await`. */
    async *[Symbol.asyncIterator]() {
        this.enter();
        try {
            while (!this.isClosed) {
                try {
                    const update = await this.#next();
                    if (update)
                        yield update;
                }
                catch (error) {
                    if (!(error instanceof Disconnected))
                        throw error;
                    // A closed stream has distrusted its copies already, so this yields nothing.
                    yield* this.distrust(error.message);
                }
            }
        }
        finally {
            this.leave();
        }
    }
    /** Sends what a new connection begins with. */
    async begin() {
        for (const room of this.#rooms)
            this.#subscribe(room);
    }
    /** The room of a message; undefined for messages that are no changes. */
    room(message) {
        if (!isChange(message))
            return undefined;
        return this.#rooms.find((room) => room.name === message['room']);
    }
    /** Marks every copy as not to be trusted. */
    distrust(reason) {
        return this.#rooms.map((room) => room.distrust(reason)).filter((update) => update !== undefined);
    }
    ended(reason) {
        this.distrust(reason);
    }
    async #next() {
        if (!this.connection.isOpen) {
            await this.open();
            await this.begin();
        }
        const message = await this.connection.receive();
        const room = this.room(message);
        return room && this.#accept(room, message);
    }
    #accept(room, message) {
        const wasBroken = room.needsRestart;
        let update;
        try {
            update = room.accept(message);
        }
        catch (error) {
            if (!(error instanceof UnreadableAnswer))
                throw error;
            this.connection.close();
            throw new Disconnected(`a message that cannot be read: ${error.message}`);
        }
        // Once: each subscription starts the room over.
        if (room.needsRestart && !wasBroken)
            this.#subscribe(room);
        if (update && update.kind !== 'untrusted')
            this.connection.isWorking();
        return update;
    }
    #subscribe(room) {
        const { resumeFrom, subject } = room;
        this.connection.send({
            type: 'subscribe',
            channel: 'changes',
            ...subject,
            ...(resumeFrom === undefined ? {} : { resumeFrom }),
        });
    }
}
/** One or more markets in one currency, with a local book for each. Made by `follow`. */
export class MarketStream extends ChangeStream {
    /** The local books, by market id. */
    books;
    constructor(connection, marketIds, currency, signal) {
        const books = [...new Set(marketIds)].map((marketId) => new LocalBook(marketId, currency));
        super(connection, books.map(marketRoom), signal);
        this.books = new Map(books.map((book) => [book.marketId, book]));
    }
    /** The book of the only market. Throws an error if there are several. */
    get book() {
        const [book] = this.books.values();
        if (!book || this.books.size !== 1) {
            throw new RangeError(`this stream has ${this.books.size} markets: choose one of stream.books`);
        }
        return book;
    }
}
/** Your orders, fills, wallets and positions, with a local copy. Made by `followAccount`. */
export class AccountStream extends ChangeStream {
    /** The local copy. */
    account;
    #room;
    #credentials;
    #cancelOnDisconnect;
    #isArmed = false;
    constructor(connection, credentials, cancelOnDisconnect, signal) {
        if (!credentials)
            throw new BellwetherError("an account's stream needs a key: give publicKey to the client");
        const room = new Room('changes', new LocalAccount(), { auth: { apiKey: credentials.publicKey } });
        super(connection, [room], signal);
        this.account = room.copy;
        this.#room = room;
        this.#credentials = credentials;
        this.#cancelOnDisconnect = cancelOnDisconnect;
    }
    /** Whether the exchange cancels all your orders when this connection ends. */
    get isArmed() {
        return this.#isArmed;
    }
    async begin() {
        this.#isArmed = false;
        if (this.#cancelOnDisconnect) {
            this.connection.send(await arming(this.#credentials, this.connection.clientId, true));
        }
        await super.begin();
    }
    room(message) {
        if (message.type === 'cancelOnDisconnect')
            this.#isArmed = message['enabled'] === true;
        // The connection has only this room, and its name contains the user's id.
        return isChange(message) ? this.#room : undefined;
    }
    distrust(reason) {
        this.#isArmed = false;
        return super.distrust(reason);
    }
}
/** Messages of a channel such as `prices`, `activity`, `orderbook`, `orders` or `asset_prices`. Made by `listen`. */
export class Listener extends Stream {
    #subscription;
    #wasConnected = false;
    constructor(connection, subscription, signal) {
        super(connection, signal);
        this.#subscription = subscription;
    }
    /** The messages, for `for await`. */
    async *[Symbol.asyncIterator]() {
        this.enter();
        try {
            while (!this.isClosed) {
                try {
                    const message = await this.#next();
                    if (message)
                        yield message;
                }
                catch (error) {
                    if (!(error instanceof Disconnected))
                        throw error;
                }
            }
        }
        finally {
            this.leave();
        }
    }
    ended() { }
    async #next() {
        if (!this.connection.isOpen) {
            await this.open();
            this.connection.send({ type: 'subscribe', ...this.#subscription });
        }
        const message = await this.connection.receive();
        if (message.type === 'subscribed') {
            const isAgain = this.#wasConnected;
            this.#wasConnected = true;
            return isAgain ? { type: 'reconnected', data: {}, room: '', sequence: 0, timestamp: 0 } : undefined;
        }
        const { data, room, sequence, timestamp } = message;
        if (data === undefined)
            return undefined;
        this.connection.isWorking();
        return {
            type: message.type,
            data,
            room: typeof room === 'string' ? room : '',
            sequence: whole(sequence),
            timestamp: whole(timestamp),
        };
    }
}
/** The endpoint that has a channel. */
export function endpoint(channel) {
    if (channel === 'asset_prices')
        return '/ws/v1/realtime';
    return channel === 'orders' ? USER_STREAM : '/ws/v1/markets';
}
function marketRoom(book) {
    const subject = { marketIds: [book.marketId], currency: book.currency };
    return new Room(`changes:${book.marketId}:${book.currency}`, book, subject);
}
function isChange(message) {
    return message.type === 'snapshot' || message.type === 'delta' || message.type === 'heartbeat';
}
function whole(value) {
    return value instanceof Decimal ? value.toNumber() : 0;
}
