/** Spelling shared by requests and answers: ids in paths, times, queries. */
import { Decimal } from './decimal.js';
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Whether a text is an id of the exchange (a UUID), and not a slug. */
export function isId(text) {
    return ID.test(text);
}
/** One segment of a path. A slash in an id must not lead to another path. */
export function part(text) {
    if (text === '' || text === '.' || text === '..')
        throw new RangeError(`not an id or a slug: ${JSON.stringify(text)}`);
    return encodeURIComponent(text);
}
/** A time as the exchange reads it. */
export function moment(value) {
    return typeof value === 'string' ? value : value.toISOString();
}
/** The query of an address, with its question mark; empty without parameters. */
export function query(parameters) {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters)) {
        if (value !== undefined)
            search.append(name, word(value));
    }
    const text = search.toString();
    return text === '' ? '' : `?${text}`;
}
/** Whether two labels are equal in any case. */
export function isSameText(one, other) {
    return one.toLowerCase() === other.toLowerCase();
}
function word(value) {
    if (value instanceof Date)
        return moment(value);
    return value instanceof Decimal ? value.toString() : String(value);
}
