/** Sends requests: signs each try anew, and repeats only what may be repeated. */
import { BellwetherError, ConnectionFailed, describeRefusal, errorOf, OutcomeUnknown, } from './errors.js';
import { isNode, randomId, sleep } from './platform.js';
import { describe, isWrite } from './requests/base.js';
import { Attempts, classify, settles } from './retry.js';
import { NoAnswer, NotSent, refusalOf, sendTry, VERSION } from './wire.js';
/** One exchange, one set of credentials, and the rules of repetition. */
export class Transport {
    credentials;
    #options;
    constructor(options) {
        this.#options = options;
        this.credentials = options.credentials;
    }
    /** The answer of a success. Throws the error of a refusal, or of a request that got no answer in time. */
    async send(request) {
        const attempts = new Attempts(this.#options.retrySeconds, request.repeat);
        const traceId = randomId();
        for (;;) {
            const result = await this.#try(request, traceId);
            if (result.answer)
                return { ...result.answer, isRepeated: attempts.maybeExecuted };
            const { failure, refusal, words } = result;
            const wait = attempts.nextWait(failure, refusal?.retryAfter);
            if (wait === undefined)
                throw finalError(request, attempts, refusal, words, traceId);
            this.#options.log?.(`${describe(request)} failed (${words}); the next try is in ${wait.toFixed(2)} s`);
            await sleep(wait);
            if (!attempts.isInTime())
                throw finalError(request, attempts, refusal, words, traceId);
        }
    }
    async #try(request, traceId) {
        const headers = await this.#headers(request, traceId);
        try {
            const answer = await sendTry({
                method: request.method,
                url: this.#options.baseUrl + request.path + request.query,
                headers,
                ...(request.body === undefined ? {} : { body: request.body }),
                timeoutSeconds: request.timeoutSeconds ?? this.#options.timeoutSeconds,
            });
            if (answer.deprecation)
                this.#options.log?.(`${describe(request)} is deprecated: ${answer.deprecation}`);
            if (answer.status >= 200 && answer.status < 300)
                return { answer };
            const refusal = refusalOf(answer);
            return { failure: classify(refusal), refusal, words: describeRefusal(refusal) };
        }
        catch (error) {
            if (error instanceof NotSent)
                return { failure: 'not executed', words: error.message };
            if (error instanceof NoAnswer)
                return { failure: 'maybe executed', words: error.message };
            throw error;
        }
    }
    async #headers(request, traceId) {
        const headers = { 'x-trace-id': traceId, Accept: 'application/json', ...request.headers };
        // A browser sends its own; a header of ours would need the exchange's permission.
        if (isNode)
            headers['User-Agent'] = `bellwether-typescript/${VERSION}`;
        if (request.body !== undefined)
            headers['Content-Type'] = 'application/json';
        if (request.idempotencyKey !== undefined)
            headers['Idempotency-Key'] = request.idempotencyKey;
        if (request.idempotencyWindow !== undefined)
            headers['Idempotency-Window'] = String(request.idempotencyWindow);
        if (request.access === 'session')
            return headers;
        if (!this.credentials) {
            if (request.access === 'public')
                return headers;
            throw new BellwetherError(`${describe(request)} needs a key: give publicKey and secretKey to the client`);
        }
        headers['X-Public-Key'] = this.credentials.publicKey;
        if (request.access === 'private' || request.access === 'write') {
            if (!this.credentials.canSign) {
                throw new BellwetherError(`${describe(request)} needs a signature: give secretKey to the client`);
            }
            const now = Math.floor(Date.now() / 1000);
            headers['X-Timestamp'] = String(now);
            headers['X-Signature'] = await this.credentials.sign(now, request.method, request.path, request.body);
        }
        return headers;
    }
}
/** The error of a request after its last try. */
function finalError(request, attempts, refusal, words, traceId) {
    const error = meaning(request, attempts, refusal, words);
    error.traceId = traceId;
    return error;
}
function meaning(request, attempts, refusal, words) {
    const isSettled = refusal !== undefined && settles(refusal);
    if (isWrite(request) && attempts.maybeExecuted && !isSettled) {
        return new OutcomeUnknown(`${describe(request)}: ${words}`, request.idempotencyKey, refusal?.commandId ?? '');
    }
    if (!refusal)
        return new ConnectionFailed(`${describe(request)}: ${words}`);
    return errorOf(refusal, attempts.maybeExecuted);
}
