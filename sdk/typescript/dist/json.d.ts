/**
 * JSON that keeps every digit. `JSON.parse` makes a binary number of each number before a program can see its text, so
 * this file has a parser of its own: every JSON number becomes a `Decimal`. Encoding writes a `Decimal` as a JSON
 * number with all its digits and without an exponent, as the exchange expects it.
 */
import { Decimal } from './decimal.js';
/** Decoded JSON. Every number is a `Decimal`. */
export type Json = null | boolean | string | Decimal | readonly Json[] | JsonObject;
/** A JSON object. */
export interface JsonObject {
    readonly [name: string]: Json;
}
/** What `encode` takes. Properties that are undefined are left out. */
export type Encodable = null | boolean | string | number | bigint | Decimal | readonly Encodable[] | {
    readonly [name: string]: Encodable | undefined;
};
/** Decodes JSON without losing a digit. Throws a `SyntaxError` for anything else. */
export declare function decode(text: string): Json;
/** Encodes compact JSON. Throws a `TypeError` for a number with a fraction: make a `Decimal` of it first. */
export declare function encode(value: Encodable): string;
/** Whether a decoded value is an object: neither a list nor a number. */
export declare function isObject(value: Json | undefined): value is JsonObject;
