/**
 * What differs between Node and browsers. Node's own modules are looked up at run time: nothing here imports them, so a
 * browser loads these files as they are, with or without a bundler.
 */
interface Builtins {
    'node:crypto': typeof import('node:crypto');
    'node:fs': typeof import('node:fs');
    'node:http': typeof import('node:http');
    'node:https': typeof import('node:https');
}
/** Whether this is Node. */
export declare const isNode: boolean;
/** A module of Node. */
export declare function builtin<Name extends keyof Builtins>(name: Name): Builtins[Name];
/** A variable of the environment; undefined in a browser. */
export declare function environment(name: string): string | undefined;
/** 32 random hexadecimal digits: an idempotency key, or the id of a trace. */
export declare function randomId(): string;
/** Bytes as lower-case hexadecimal digits. */
export declare function hexOf(bytes: Uint8Array): string;
/** Waits. An aborted signal ends the wait early, without an error. */
export declare function sleep(seconds: number, signal?: AbortSignal): Promise<void>;
export {};
