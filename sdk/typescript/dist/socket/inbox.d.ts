/** Messages of a socket that wait for their reader, and the reason when there will be no more. */
/** A stream's connection ended, or was silent for too long. */
export declare class Disconnected extends Error {
}
/** The exchange answered the request for a stream with a status that no repetition changes. */
export declare class StreamNotAccepted extends Error {
}
/** One connection to a stream. */
export interface Socket {
    /** Sends one message. Throws `Disconnected`. */
    send(text: string): void;
    /** The next message. A connection that is silent for longer counts as ended: rejects with `Disconnected`. */
    receive(silenceSeconds: number): Promise<string>;
    /** Closes the connection. A connection that is already gone is no error. */
    close(): void;
}
/** A queue with one reader. */
export declare class Inbox {
    #private;
    /** How many messages wait. */
    get size(): number;
    /** The reason of the end; undefined while the connection lives. */
    get end(): string | undefined;
    /** Adds a message. */
    push(text: string): void;
    /** Notes the end. Messages that arrived before it can still be read. */
    finish(reason: string): void;
    /** Notes a sign of life that is no message. */
    touch(): void;
    /** The next message. */
    receive(silenceSeconds: number): Promise<string>;
}
