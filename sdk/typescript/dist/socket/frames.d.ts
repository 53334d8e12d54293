/**
 * Frames of WebSocket (RFC 6455) as a client reads and writes them, without extensions. Nothing here touches a socket.
 */
/** The kinds of frames. */
export declare const OPCODES: {
    readonly continuation: 0;
    readonly text: 1;
    readonly binary: 2;
    readonly close: 8;
    readonly ping: 9;
    readonly pong: 10;
};
/** Longer messages end the connection. */
export declare const MESSAGE_BYTES_MAX: number;
/** A message or a control frame that arrived whole. */
export type Incoming = {
    readonly kind: 'message';
    readonly text: string;
} | {
    readonly kind: 'ping';
    readonly payload: Uint8Array;
} | {
    readonly kind: 'pong';
} | {
    readonly kind: 'close';
    readonly code: number;
    readonly reason: string;
};
/** Bytes that are no frames of a server. The connection must end. */
export declare class ProtocolError extends Error {
}
/** Collects bytes into messages. */
export declare class FrameReader {
    #private;
    /** Everything that these bytes complete. Throws `ProtocolError`. */
    read(bytes: Uint8Array): Generator<Incoming, void, undefined>;
}
/** A frame of a client. Its payload is masked with four random bytes, as the protocol demands of clients. */
export declare function clientFrame(opcode: number, payload: Uint8Array): Uint8Array;
/** A close frame's payload. */
export declare function closePayload(code: number): Uint8Array;
