/**
 * Readers of answers. A shape names each field of an interface with the way to read it, so the compiler checks that
 * both agree, and a test compares the shapes with the exchange's OpenAPI document.
 *
 * Answers may have more fields than these; a field that this version does not know is ignored.
 */
import { Decimal } from '../decimal.js';
import { UnreadableAnswer } from '../errors.js';
import { isObject } from '../json.js';
/** A text. */
export const text = required('text', (value) => (typeof value === 'string' ? value : undefined));
/** A number with all its digits. The exchange sends some as text. */
export const decimal = required('decimal', (value) => {
    if (value instanceof Decimal)
        return value;
    try {
        return typeof value === 'string' ? new Decimal(value) : undefined;
    }
    catch {
        return undefined;
    }
});
/** A whole number that fits a JavaScript number: a count, an index, a sequence. */
export const count = required('count', (value) => {
    const number = value instanceof Decimal && value.scale === 0 ? Number(value.digits) : NaN;
    return Number.isSafeInteger(number) ? number : undefined;
});
/** True or false. */
export const flag = required('flag', (value) => (typeof value === 'boolean' ? value : undefined));
/** A moment. A `Date` has milliseconds; the exchange's microseconds are cut off. */
export const time = required('time', (value) => {
    const date = new Date(typeof value === 'string' ? value : NaN);
    return Number.isNaN(date.getTime()) ? undefined : date;
});
/** A field that may be absent, null, or for a moment also empty. */
export function optional(field) {
    const isUnset = (value) => value === undefined || value === null || (value === '' && field.kind === 'time');
    const read = (value, where) => (isUnset(value) ? undefined : field.read(value, where));
    return { kind: field.kind, isOptional: true, read };
}
/** A list. */
export function list(field) {
    const read = (value, where) => items(value, where).map((item, index) => field.read(item, `${where}[${index}]`));
    return { kind: 'list', isOptional: false, read };
}
/** An object with a shape. */
export function object(shape) {
    return { kind: 'object', isOptional: false, read: (value, where) => readShape(shape, value, where) };
}
/** Reads an object. Throws `UnreadableAnswer` if a field is missing or of another kind. */
export function readShape(shape, value, where) {
    const fields = member(value, where);
    const result = {};
    for (const name of Object.keys(shape)) {
        const read = shape[name].read(fields[name], `${where}.${name}`);
        if (read !== undefined)
            result[name] = read;
    }
    return result;
}
/** A value that must be an object. */
export function member(value, where) {
    if (!isObject(value))
        throw new UnreadableAnswer(`${where} is not an object`);
    return value;
}
/** A value that must be a list. */
export function items(value, where) {
    if (!Array.isArray(value))
        throw new UnreadableAnswer(`${where} is not a list`);
    return value;
}
function required(kind, convert) {
    const read = (value, where) => {
        const converted = convert(value);
        if (converted === undefined)
            throw new UnreadableAnswer(`${where} is not a ${kind}`);
        return converted;
    };
    return { kind, isOptional: false, read };
}
