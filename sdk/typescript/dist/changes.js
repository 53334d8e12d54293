/**
 * The recipe of the channel `changes`: applies snapshots, deltas and heartbeats to a local copy, and notices gaps.
 *
 * Nothing here touches a socket. `Room.accept` takes one message and returns the update for the caller.
 * `Room.needsRestart` is set when a change was missed, and the stream then subscribes again without a sequence.
 */
import { sequenceOf } from './book.js';
import { tradeShape } from './models/data.js';
import { orderShape } from './models/order.js';
import { decimal, items, member, object, readShape, text } from './models/shape.js';
const fillShape = {
    tradeId: text,
    orderId: text,
    marketId: text,
    outcome: text,
    side: text,
    price: decimal,
    quantity: decimal,
    fee: decimal,
    currency: text,
    role: text,
};
/** One step of a stream. The local copy already includes it. */
export class Update {
    kind;
    room;
    /** The last request that the copy includes. */
    sequence;
    /** Up to this request nothing else has changed. */
    head;
    /** Milliseconds since 1970, by the exchange's journal; 0 for `untrusted`. */
    timestamp;
    /** Why the copy is not to be trusted; empty otherwise. */
    reason;
    /** The message's data. */
    data;
    constructor(kind, room, trust, timestamp, reason, data) {
        this.kind = kind;
        this.room = room;
        this.sequence = trust.sequence;
        this.head = trust.head;
        this.timestamp = timestamp;
        this.reason = reason;
        this.data = data;
    }
    /** The trades of a market's delta. */
    get trades() {
        return this.#list('trades').map((trade) => readShape(tradeShape, trade, 'trade'));
    }
    /** Every state that your orders reached in an account's delta, in order. */
    get orders() {
        const field = object(orderShape);
        return this.#list('orders').map((change) => field.read(member(change, 'orders')['order'], 'order'));
    }
    /** Your sides of the trades of an account's delta. */
    get fills() {
        return this.#list('fills').map((fill) => readShape(fillShape, fill, 'fill'));
    }
    #list(name) {
        return items(this.data[name] ?? [], name);
    }
}
/** One subscription and the copy that it keeps current. */
export class Room {
    name;
    copy;
    /** What a subscription names: a market and its currency, or the account. */
    subject;
    #hasState = false;
    #needsRestart = false;
    constructor(name, copy, subject = {}) {
        this.name = name;
        this.copy = copy;
        this.subject = subject;
    }
    /** Whether a change was missed: only a snapshot helps. */
    get needsRestart() {
        return this.#needsRestart;
    }
    /** The sequence to continue from; undefined to start over. */
    get resumeFrom() {
        if (!this.#hasState || this.#needsRestart)
            return undefined;
        return Math.max(this.copy.trust.sequence, this.copy.trust.head);
    }
    /** Applies one message of this room. Undefined: the copy already has it, or waits for a snapshot. */
    accept(message) {
        try {
            if (message['type'] === 'snapshot')
                return this.#acceptSnapshot(message);
            if (this.#needsRestart || !this.#hasState)
                return undefined;
            return message['type'] === 'delta' ? this.#acceptDelta(message) : this.#acceptHeartbeat(message);
        }
        catch (error) {
            // The message may be half applied.
            this.#needsRestart = true;
            throw error;
        }
    }
    /** Marks the copy as not to be trusted. Undefined if it already was. */
    distrust(reason) {
        const { trust } = this.copy;
        const wasTrusted = trust.isTrusted;
        trust.isTrusted = false;
        trust.reason = reason;
        return wasTrusted ? new Update('untrusted', this.name, trust, 0, reason, {}) : undefined;
    }
    #acceptSnapshot(message) {
        const sequence = sequenceOf(message, 'sequence');
        this.copy.clear();
        this.copy.apply(member(message['data'], 'data'));
        this.#hasState = true;
        this.#needsRestart = false;
        return this.#trusted('snapshot', message, sequence, sequence);
    }
    #acceptDelta(message) {
        const { trust } = this.copy;
        const sequence = sequenceOf(message, 'sequence');
        if (sequence <= trust.sequence)
            return undefined;
        // A heartbeat said that nothing changed up to `head`: a change below it means that one of both is wrong.
        const mine = Math.max(trust.sequence, trust.head);
        if (sequenceOf(message, 'previousSequence') > mine || sequence <= trust.head) {
            return this.#missed(`the change before ${sequence} did not arrive`);
        }
        this.copy.apply(member(message['data'], 'data'));
        return this.#trusted('delta', message, sequence, sequence);
    }
    #acceptHeartbeat(message) {
        const { trust } = this.copy;
        const sequence = sequenceOf(message, 'sequence');
        if (sequence > Math.max(trust.sequence, trust.head)) {
            return this.#missed(`the change ${sequence} did not arrive`);
        }
        return this.#trusted('heartbeat', message, trust.sequence, sequenceOf(message, 'head'));
    }
    #missed(reason) {
        this.#needsRestart = true;
        return this.distrust(reason);
    }
    #trusted(kind, message, sequence, head) {
        const { trust } = this.copy;
        trust.sequence = sequence;
        trust.head = Math.max(sequence, head);
        trust.isTrusted = true;
        trust.reason = '';
        const data = message['data'] === undefined ? {} : member(message['data'], 'data');
        return new Update(kind, this.name, trust, sequenceOf(message, 'timestamp'), '', data);
    }
}
