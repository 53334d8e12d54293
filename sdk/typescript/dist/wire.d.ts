/** One try of a request over `fetch`: an answer, or the way in which there is none. */
import { type Refusal } from './errors.js';
import { type Json } from './json.js';
/** The version of this package. */
export declare const VERSION = "0.1.0";
/** The exchange was not reached: the request was not executed. */
export declare class NotSent extends Error {
}
/** The connection ended or timed out before a complete answer: the request may have been executed. */
export declare class NoAnswer extends Error {
}
/** A complete answer: its status, its decoded JSON, and the headers that clients use. */
export interface Answer {
    readonly status: number;
    readonly payload: Json;
    /** The sequence of the exchange's state that the answer was read from; undefined if the answer had none. */
    readonly asOf?: number;
    /** The exchange had executed the request before: this is the first answer again. */
    readonly isReplayed: boolean;
    /** An earlier try got no answer. */
    readonly isRepeated: boolean;
    /** The header `Retry-After`. */
    readonly retryAfter?: string;
    /** Since when the route or a field of it is deprecated, and when it ends; empty if it is not. */
    readonly deprecation: string;
}
/** What `fetch` needs for one try. */
export interface Try {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly timeoutSeconds: number;
}
/** Sends one try and reads the whole answer. Throws `NotSent` or `NoAnswer`. */
export declare function sendTry(request: Try): Promise<Answer>;
/** Decodes an answer. A success that is not JSON is no answer: a proxy may have cut or replaced it. */
export declare function readAnswer(status: number, headers: Pick<Headers, 'get'>, text: string): Answer;
/** A refusing answer's refusal. */
export declare function refusalOf(answer: Answer): Refusal;
