/** A stream's connection that comes back: connects, subscribes, waits longer after each failure. */
import { type Encodable, type JsonObject } from './json.js';
import type { Credentials } from './signing.js';
/** Twice the interval of the exchange's heartbeats: a longer silence means that the connection is dead. */
export declare const SILENCE_SECONDS = 10;
/** A message of the exchange. */
export interface StreamMessage extends JsonObject {
    readonly type: string;
}
/** One endpoint. After `Disconnected` its owner opens it again. */
export declare class Connection {
    #private;
    /** The exchange's name for the connection, from its greeting. */
    clientId: string;
    constructor(url: string, silenceSeconds: number);
    /** Whether there is a connection. */
    get isOpen(): boolean;
    /** Connects and reads the greeting, after a pause if the last connection failed. The signal ends the pause. */
    open(signal: AbortSignal): Promise<void>;
    /** Sends one message. */
    send(message: Encodable): void;
    /** The next message. */
    receive(): Promise<StreamMessage>;
    /** Notes that data arrived: the next failure is the first again. */
    isWorking(): void;
    /** Closes the connection, if there is one. */
    close(): void;
}
/** The signed message that makes the exchange cancel all orders when this connection ends. */
export declare function arming(credentials: Credentials, clientId: string, enabled: boolean): Promise<Encodable>;
