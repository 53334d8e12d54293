/** One try of a request over `fetch`: an answer, or the way in which there is none. */
import { readRefusal } from './errors.js';
import { decode } from './json.js';
/** The version of this package. */
export const VERSION = '0.1.0';
/** The exchange was not reached: the request was not executed. */
export class NotSent extends Error {
}
/** The connection ended or timed out before a complete answer: the request may have been executed. */
export class NoAnswer extends Error {
}
/** Sends one try and reads the whole answer. Throws `NotSent` or `NoAnswer`. */
export async function sendTry(request) {
    let response;
    let text;
    try {
        response = await fetch(request.url, {
            method: request.method,
            headers: request.headers,
            ...(request.body === undefined ? {} : { body: request.body }),
            signal: AbortSignal.timeout(request.timeoutSeconds * 1000),
            // A signature covers the path, so a redirect cannot be followed.
            redirect: 'manual',
            credentials: 'omit',
            cache: 'no-store',
        });
        text = await response.text();
    }
    catch (error) {
        const cause = error.cause;
        if (isBeforeSending(cause))
            throw new NotSent(describe(cause));
        throw new NoAnswer(describe(cause ?? error));
    }
    return readAnswer(response.status, response.headers, text);
}
/** Decodes an answer. A success that is not JSON is no answer: a proxy may have cut or replaced it. */
export function readAnswer(status, headers, text) {
    let payload = null;
    try {
        payload = decode(text);
    }
    catch {
        if (status >= 200 && status < 300)
            throw new NoAnswer(`status ${status} with a body that is not JSON`);
    }
    const sequence = headers.get('x-sequence') ?? '';
    const retryAfter = headers.get('retry-after');
    const deprecation = [headers.get('deprecation'), headers.get('sunset')].filter((value) => value !== null);
    return {
        status,
        payload,
        ...(/^\d{1,15}$/.test(sequence) ? { asOf: Number(sequence) } : {}),
        isReplayed: headers.get('idempotent-replayed') === 'true',
        isRepeated: false,
        ...(retryAfter === null ? {} : { retryAfter }),
        deprecation: deprecation.join(' '),
    };
}
/** A refusing answer's refusal. */
export function refusalOf(answer) {
    return readRefusal(answer.status, answer.payload, answer.retryAfter);
}
/**
 * Whether Node failed before the first byte of the request: no address, or no connection. Browsers do not tell, so
 * there a request without an answer may always have been executed.
 */
function isBeforeSending(cause) {
    if (typeof cause !== 'object' || cause === null)
        return false;
    const { code, syscall, errors } = cause;
    if (Array.isArray(errors) && errors.length > 0)
        return errors.every(isBeforeSending);
    return code === 'UND_ERR_CONNECT_TIMEOUT' || syscall === 'connect' || syscall === 'getaddrinfo';
}
function describe(error) {
    if (!(error instanceof Error))
        return String(error);
    const code = error.code;
    const words = [typeof code === 'string' ? code : error.name, error.message];
    return words.filter((word) => word !== '').join(': ');
}
