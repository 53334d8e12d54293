/** A stream's connection that comes back: connects, subscribes, waits longer after each failure. */
import { StreamRefused } from './errors.js';
import { decode, encode, isObject } from './json.js';
import { isNode, sleep } from './platform.js';
import { backoffSeconds } from './retry.js';
import { openBrowserSocket } from './socket/browser.js';
import { Disconnected, StreamNotAccepted } from './socket/inbox.js';
import { openNodeSocket } from './socket/node.js';
/** Twice the interval of the exchange's heartbeats: a longer silence means that the connection is dead. */
export const SILENCE_SECONDS = 10;
/** Connections in a row whose subscription is refused before the stream gives up. */
const REFUSALS_MAX = 3;
/** One endpoint. After `Disconnected` its owner opens it again. */
export class Connection {
    /** The exchange's name for the connection, from its greeting. */
    clientId = '';
    #url;
    #silenceSeconds;
    #socket;
    #failures = 0;
    #refusals = 0;
    #openings = 0;
    constructor(url, silenceSeconds) {
        this.#url = url;
        this.#silenceSeconds = silenceSeconds;
    }
    /** Whether there is a connection. */
    get isOpen() {
        return this.#socket !== undefined;
    }
    /** Connects and reads the greeting, after a pause if the last connection failed. The signal ends the pause. */
    async open(signal) {
        this.#openings += 1;
        const opening = this.#openings;
        if (this.#failures > 0)
            await sleep(backoffSeconds(this.#failures, Math.random()), signal);
        this.#failures += 1;
        if (signal.aborted)
            throw new Disconnected('the stream was closed');
        const socket = await this.#connect();
        // Closed while it connected.
        if (signal.aborted || opening !== this.#openings) {
            socket.close();
            throw new Disconnected('the stream was closed');
        }
        this.#socket = socket;
        const greeting = await this.receive();
        this.clientId = typeof greeting['clientId'] === 'string' ? greeting['clientId'] : '';
    }
    /** Sends one message. */
    send(message) {
        const socket = this.#connected();
        try {
            socket.send(encode(message));
        }
        catch (error) {
            this.close();
            throw error;
        }
    }
    /** The next message. */
    async receive() {
        let message;
        try {
            message = read(await this.#connected().receive(this.#silenceSeconds));
        }
        catch (error) {
            this.close();
            throw error;
        }
        if (message.type === 'error')
            this.#refuse(message);
        return message;
    }
    /** Notes that data arrived: the next failure is the first again. */
    isWorking() {
        this.#failures = 0;
        this.#refusals = 0;
    }
    /** Closes the connection, if there is one. */
    close() {
        const socket = this.#socket;
        this.#socket = undefined;
        this.#openings += 1;
        socket?.close();
    }
    async #connect() {
        try {
            return await (isNode ? openNodeSocket : openBrowserSocket)(this.#url, this.#silenceSeconds);
        }
        catch (error) {
            if (error instanceof StreamNotAccepted)
                throw new StreamRefused(`${this.#url}: ${error.message}`);
            throw error;
        }
    }
    #connected() {
        if (!this.#socket)
            throw new Disconnected('not connected');
        return this.#socket;
    }
    #refuse(message) {
        const data = message['data'];
        const words = isObject(data) && typeof data['message'] === 'string' ? data['message'] : 'refused';
        this.#refusals += 1;
        this.close();
        throw this.#refusals >= REFUSALS_MAX ? new StreamRefused(words) : new Disconnected(words);
    }
}
/** A message of the exchange. Anything else means that the connection carries something else. */
function read(text) {
    try {
        const message = decode(text);
        if (isObject(message) && typeof message['type'] === 'string')
            return message;
    }
    catch (error) {
        throw new Disconnected(`a message that is not JSON: ${error.message}`);
    }
    throw new Disconnected('a message without a type');
}
/** The signed message that makes the exchange cancel all orders when this connection ends. */
export async function arming(credentials, clientId, enabled) {
    if (!credentials.canSign) {
        throw new StreamRefused('cancelOnDisconnect needs a signature: give secretKey to the client');
    }
    const now = Math.floor(Date.now() / 1000);
    const signature = await credentials.signCancelOnDisconnect(now, enabled, clientId);
    const auth = { apiKey: credentials.publicKey, timestamp: String(now), signature };
    return { type: 'cancelOnDisconnect', enabled, auth };
}
