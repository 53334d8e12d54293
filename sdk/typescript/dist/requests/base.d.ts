/** One request: its text, who may send it, and whether it may be repeated. Nothing here sends. */
import { type Encodable } from '../json.js';
import { type Repeat } from '../retry.js';
import { type QueryValue } from '../text.js';
/**
 * The headers that a request needs.
 *
 * - `public`: none; the public key is sent if there is one
 * - `read`: the public key
 * - `private`: the public key and a signature, for a read
 * - `write`: the public key and a signature
 * - `session`: the token and the device of a login
 */
export type Access = 'public' | 'read' | 'private' | 'write' | 'session';
/** A request to the exchange. The body is encoded once: every try sends and signs the same text. */
export interface Request {
    readonly method: string;
    readonly path: string;
    /** With its question mark; empty without parameters. */
    readonly query: string;
    readonly body?: string;
    readonly access: Access;
    readonly repeat: Repeat;
    readonly idempotencyKey?: string;
    /** How long the exchange remembers the key, in seconds; a day if it is not set. */
    readonly idempotencyWindow?: number;
    readonly timeoutSeconds?: number;
    readonly headers?: Readonly<Record<string, string>>;
}
/** Whether a request can change something. */
export declare function isWrite(request: Request): boolean;
/** A request in one line. */
export declare function describe(request: Request): string;
/** A read. Parameters that are undefined are left out. */
export declare function read(path: string, parameters?: Readonly<Record<string, QueryValue>>, access?: Access, timeoutSeconds?: number): Request;
/** A signed write that may be repeated without harm. */
export declare function write(method: string, path: string, body?: Encodable): Request;
/** A signed write that the exchange executes once, however often it arrives. Without a key it gets a random one. */
export declare function keyedWrite(method: string, path: string, body: Encodable, key?: string): Request;
