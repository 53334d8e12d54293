/**
 * Frames of WebSocket (RFC 6455) as a client reads and writes them, without extensions. Nothing here touches a socket.
 */
/** The kinds of frames. */
export const OPCODES = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 };
/** Longer messages end the connection. */
export const MESSAGE_BYTES_MAX = 64 * 1024 * 1024;
const CONTROL_BYTES_MAX = 125;
/** Bytes that are no frames of a server. The connection must end. */
export class ProtocolError extends Error {
}
/** Collects bytes into messages. */
export class FrameReader {
    #pending = [];
    #pendingBytes = 0;
    /** How many bytes the next frame needs, as far as its head has arrived. */
    #needed = 2;
    #fragments = [];
    #fragmentBytes = 0;
    #isInMessage = false;
    /** The head of the next frame; undefined if more bytes of it are needed. */
    #head(bytes) {
        const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        const first = view.getUint8(0);
        const second = view.getUint8(1);
        if ((first & 0x70) !== 0)
            throw new ProtocolError('a frame with an extension that was not agreed');
        if ((second & 0x80) !== 0)
            throw new ProtocolError('a masked frame from a server');
        const short = second & 0x7f;
        const start = short === 127 ? 10 : short === 126 ? 4 : 2;
        if (bytes.length < start) {
            this.#needed = start;
            return undefined;
        }
        const length = short === 127 ? Number(view.getBigUint64(2)) : short === 126 ? view.getUint16(2) : short;
        const opcode = first & 0x0f;
        const isControl = opcode >= OPCODES.close;
        if (isControl && (length > CONTROL_BYTES_MAX || (first & 0x80) === 0)) {
            throw new ProtocolError('a control frame that is too long or in parts');
        }
        if (length + this.#fragmentBytes > MESSAGE_BYTES_MAX)
            throw new ProtocolError('a message that is too long');
        return { isFinal: (first & 0x80) !== 0, opcode, start, end: start + length };
    }
    /** Everything that these bytes complete. Throws `ProtocolError`. */
    *read(bytes) {
        this.#pending.push(bytes);
        this.#pendingBytes += bytes.length;
        // Joins only when a frame may be complete, so that a large frame in small parts is not copied again and again.
        while (this.#pendingBytes >= this.#needed) {
            const joined = join(this.#pending, this.#pendingBytes);
            const head = this.#head(joined);
            const rest = head && head.end <= joined.length ? joined.subarray(head.end) : joined;
            this.#pending = rest.length > 0 ? [rest] : [];
            this.#pendingBytes = rest.length;
            if (!head)
                continue;
            if (head.end > joined.length) {
                this.#needed = head.end;
                continue;
            }
            this.#needed = 2;
            const incoming = this.#frame(head, joined.subarray(head.start, head.end));
            if (incoming)
                yield incoming;
        }
    }
    #frame(head, payload) {
        switch (head.opcode) {
            case OPCODES.text:
            case OPCODES.binary:
            case OPCODES.continuation:
                return this.#fragment(head, payload);
            case OPCODES.ping:
                return { kind: 'ping', payload };
            case OPCODES.pong:
                return { kind: 'pong' };
            case OPCODES.close:
                return closing(payload);
            default:
                throw new ProtocolError(`a frame of the unknown kind ${head.opcode}`);
        }
    }
    #fragment(head, payload) {
        if ((head.opcode === OPCODES.continuation) !== this.#isInMessage) {
            throw new ProtocolError('a part of a message out of order');
        }
        this.#fragments.push(payload);
        this.#fragmentBytes += payload.length;
        this.#isInMessage = !head.isFinal;
        if (!head.isFinal)
            return undefined;
        const whole = join(this.#fragments, this.#fragmentBytes);
        this.#fragments = [];
        this.#fragmentBytes = 0;
        return { kind: 'message', text: decodeText(whole) };
    }
}
/** A frame of a client. Its payload is masked with four random bytes, as the protocol demands of clients. */
export function clientFrame(opcode, payload) {
    const length = payload.length;
    const start = length < 126 ? 2 : length < 65_536 ? 4 : 10;
    const frame = new Uint8Array(start + 4 + length);
    const view = new DataView(frame.buffer);
    view.setUint8(0, 0x80 | opcode);
    if (start === 2)
        view.setUint8(1, 0x80 | length);
    else
        view.setUint8(1, 0x80 | (start === 4 ? 126 : 127));
    if (start === 4)
        view.setUint16(2, length);
    if (start === 10)
        view.setBigUint64(2, BigInt(length));
    const mask = crypto.getRandomValues(new Uint8Array(4));
    frame.set(mask, start);
    for (let index = 0; index < length; index += 1) {
        frame[start + 4 + index] = payload[index] ^ mask[index % 4];
    }
    return frame;
}
/** A close frame's payload. */
export function closePayload(code) {
    return new Uint8Array([code >> 8, code & 0xff]);
}
function closing(payload) {
    if (payload.length < 2)
        return { kind: 'close', code: 1005, reason: '' };
    const code = (payload[0] << 8) | payload[1];
    return { kind: 'close', code, reason: decodeText(payload.subarray(2)) };
}
function decodeText(bytes) {
    try {
        return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    }
    catch {
        throw new ProtocolError('a text that is not UTF-8');
    }
}
function join(parts, length) {
    const first = parts[0];
    if (parts.length === 1 && first)
        return first;
    const joined = new Uint8Array(length);
    let at = 0;
    for (const part of parts) {
        joined.set(part, at);
        at += part.length;
    }
    return joined;
}
