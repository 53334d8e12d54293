/**
 * A sandbox for tests, in Node: an exchange whose clock you move and whose faults you plant. `Sandbox.start()` runs
 * `bellwether sandbox` until you close it.
 */
import { Client, type ClientOptions } from './client.js';
/** The kinds of faults. Those that begin with `stream` happen to messages, the others to requests. */
export type FaultKind = 'lost-answer' | 'twice' | 'delay' | '429' | '503' | 'unknown' | 'cut' | 'stream-cut' | 'stream-gap' | 'stream-duplicate' | 'stream-slow';
/** Which requests or messages a fault hits, and its parameters. */
export interface FaultConditions {
    readonly method?: string;
    /** A path in which `*` stands for any characters. */
    readonly path?: string;
    /** An id, a tag or a public key; for faults of requests alone. */
    readonly user?: string;
    /** The first match that is hit; 1 by default. */
    readonly nth?: number;
    /** How many are hit; 1 by default. */
    readonly count?: number;
    readonly millis?: number;
    readonly byte?: number;
    readonly retryAfter?: number;
    readonly committed?: boolean;
}
/** How a sandbox is started. */
export interface SandboxOptions {
    /** Ids, secrets and prices follow from it; 1 by default. */
    readonly seed?: number;
    /** The path of the executable: by default the variable `BELLWETHER`, else `bellwether` on the path. */
    readonly executable?: string;
    /** Further flags; `--no-limits` by default. */
    readonly flags?: readonly string[];
}
/** A user of the sandbox, with its key. */
export interface SandboxUser {
    readonly userId: string;
    readonly tag: string;
    readonly email: string;
    readonly publicKey: string;
    readonly secretKey: string;
}
/** The clock of a sandbox. */
export interface ClockState {
    readonly now: string;
    readonly sequence: number;
    readonly running: boolean;
    /** Why a clock that ran has stopped by itself. */
    readonly failure?: string;
    /** False once the clock has run at a speed. */
    readonly deterministic: boolean;
}
/** A planted fault. */
export declare class Fault {
    #private;
    readonly id: number;
    constructor(sandbox: Sandbox, id: number);
    /** How many requests or messages have matched, and how many of them were hit. */
    counts(): Promise<{
        seen: number;
        fired: number;
    }>;
    /** Removes the fault. */
    remove(): Promise<void>;
}
/** A sandbox that runs. Its clock stands unless you move it. */
export declare class Sandbox {
    #private;
    readonly baseUrl: string;
    readonly adminUrl: string;
    readonly sandboxUrl: string;
    readonly operatorToken: string;
    private constructor();
    /** Starts `bellwether sandbox` on free ports, in a folder of its own. */
    static start(options?: SandboxOptions): Promise<Sandbox>;
    /** Stops it, and removes its folder. It is gone afterwards, also if it did not stop well. */
    close(): Promise<void>;
    /** Makes a user with a key and money. */
    user(tag?: string): Promise<SandboxUser>;
    /** A client of a user. Without a user, or with a tag, it makes one. */
    client(user?: SandboxUser | string, options?: ClientOptions): Promise<Client>;
    /** The clock. */
    clock(): Promise<ClockState>;
    /** Moves the clock. Everything that is due happens before this resolves. */
    advance(seconds: number): Promise<ClockState>;
    /** Moves the clock to the closing date of an event, given by slug or id. */
    jumpToClose(event: string): Promise<ClockState>;
    /** Lets the clock run: so many seconds of the venue in a second of the machine. Not deterministic. */
    run(speed: number): Promise<ClockState>;
    /** Stops a clock that runs. */
    freeze(): Promise<ClockState>;
    /** Plants a fault, such as `fault('lost-answer', { method: 'POST', path: '*\/orders' })`. */
    fault(kind: FaultKind, conditions?: FaultConditions): Promise<Fault>;
    /** Lets a counterparty trade with a resting order, completely or by `quantity`. */
    fill(orderId: string, quantity?: number): Promise<void>;
    /** Lets a counterparty trade a book to a price. */
    setPrice(marketId: string, price: number): Promise<void>;
    /** Ends an event: the market `winner` as YES, all others as NO. */
    resolve(event: string, winner?: string): Promise<void>;
    /** Adds a virtual trader (maker, noise, informed or toxic), and returns its name. */
    trader(behaviour: string, marketId: string, settings?: Readonly<Record<string, unknown>>): Promise<string>;
    /** Takes a snapshot of the whole venue, and returns its name. */
    snapshot(): Promise<string>;
    /** Returns to a snapshot. */
    returnTo(snapshot: string): Promise<void>;
    /** Begins again, without faults. */
    reset(): Promise<void>;
    /** Sends a request to the sandbox's own API. */
    request<T = unknown>(method: string, path: string, body?: object): Promise<T>;
}
