/** Sends requests: signs each try anew, and repeats only what may be repeated. */
import { type Request } from './requests/base.js';
import type { Credentials } from './signing.js';
import { type Answer } from './wire.js';
/** Settings of a transport. */
export interface TransportOptions {
    readonly baseUrl: string;
    readonly credentials: Credentials | undefined;
    readonly retrySeconds: number;
    readonly timeoutSeconds: number;
    readonly log: ((line: string) => void) | undefined;
}
/** One exchange, one set of credentials, and the rules of repetition. */
export declare class Transport {
    #private;
    readonly credentials: Credentials | undefined;
    constructor(options: TransportOptions);
    /** The answer of a success. Throws the error of a refusal, or of a request that got no answer in time. */
    send(request: Request): Promise<Answer>;
}
