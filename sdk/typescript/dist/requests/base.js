/** One request: its text, who may send it, and whether it may be repeated. Nothing here sends. */
import { encode } from '../json.js';
import { randomId } from '../platform.js';
import { KEY_SECONDS } from '../retry.js';
import { query } from '../text.js';
/** Whether a request can change something. */
export function isWrite(request) {
    return request.access === 'write' || request.access === 'session' || request.repeat === 'never';
}
/** A request in one line. */
export function describe(request) {
    return `${request.method} ${request.path}`;
}
/** A read. Parameters that are undefined are left out. */
export function read(path, parameters = {}, access = 'public', timeoutSeconds) {
    const timeout = timeoutSeconds === undefined ? {} : { timeoutSeconds };
    return { method: 'GET', path, query: query(parameters), access, repeat: 'harmless', ...timeout };
}
/** A signed write that may be repeated without harm. */
export function write(method, path, body) {
    const encoded = body === undefined ? {} : { body: encode(body) };
    return { method, path, query: '', access: 'write', repeat: 'harmless', ...encoded };
}
/** A signed write that the exchange executes once, however often it arrives. Without a key it gets a random one. */
export function keyedWrite(method, path, body, key) {
    const keys = key === undefined ? { idempotencyKey: randomId(), idempotencyWindow: KEY_SECONDS } : { idempotencyKey: key };
    return { ...write(method, path, body), repeat: 'keyed', ...keys };
}
