/**
 * Readers of answers. A shape names each field of an interface with the way to read it, so the compiler checks that
 * both agree, and a test compares the shapes with the exchange's OpenAPI document.
 *
 * Answers may have more fields than these; a field that this version does not know is ignored.
 */
import { Decimal } from '../decimal.js';
import { type Json, type JsonObject } from '../json.js';
/** What a field holds. */
export type Kind = 'text' | 'decimal' | 'count' | 'flag' | 'time' | 'object' | 'list';
/** How one field is read. */
export interface Field<T> {
    readonly kind: Kind;
    readonly isOptional: boolean;
    readonly read: (value: Json | undefined, where: string) => T;
}
/** How every field of an interface is read. */
export type Shape<T> = {
    readonly [Name in keyof T]-?: Field<T[Name]>;
};
/** A text. */
export declare const text: Field<string>;
/** A number with all its digits. The exchange sends some as text. */
export declare const decimal: Field<Decimal>;
/** A whole number that fits a JavaScript number: a count, an index, a sequence. */
export declare const count: Field<number>;
/** True or false. */
export declare const flag: Field<boolean>;
/** A moment. A `Date` has milliseconds; the exchange's microseconds are cut off. */
export declare const time: Field<Date>;
/** A field that may be absent, null, or for a moment also empty. */
export declare function optional<T>(field: Field<T>): Field<T | undefined>;
/** A list. */
export declare function list<T>(field: Field<T>): Field<readonly T[]>;
/** An object with a shape. */
export declare function object<T extends object>(shape: Shape<T>): Field<T>;
/** Reads an object. Throws `UnreadableAnswer` if a field is missing or of another kind. */
export declare function readShape<T extends object>(shape: Shape<T>, value: Json | undefined, where: string): T;
/** A value that must be an object. */
export declare function member(value: Json | undefined, where: string): JsonObject;
/** A value that must be a list. */
export declare function items(value: Json | undefined, where: string): readonly Json[];
