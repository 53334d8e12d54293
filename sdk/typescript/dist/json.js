/**
 * JSON that keeps every digit. `JSON.parse` makes a binary number of each number before a program can see its text, so
 * this file has a parser of its own: every JSON number becomes a `Decimal`. Encoding writes a `Decimal` as a JSON
 * number with all its digits and without an exponent, as the exchange expects it.
 */
import { Decimal } from './decimal.js';
/** Deeper texts are refused, so that no answer can exhaust the stack. */
const DEPTH_MAX = 100;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SPACE = /[ \t\r\n]*/y;
const WORDS = [
    ['true', true],
    ['false', false],
    ['null', null],
];
/** Decodes JSON without losing a digit. Throws a `SyntaxError` for anything else. */
export function decode(text) {
    return new Decoder(text).whole();
}
/** Encodes compact JSON. Throws a `TypeError` for a number with a fraction: make a `Decimal` of it first. */
export function encode(value) {
    if (value instanceof Decimal)
        return value.toString();
    if (value === null || typeof value === 'boolean' || typeof value === 'string')
        return JSON.stringify(value);
    if (typeof value === 'bigint')
        return value.toString();
    if (typeof value === 'number') {
        if (!Number.isSafeInteger(value))
            throw new TypeError(`JSON would not hold ${value} exactly: use a Decimal`);
        return value.toString();
    }
    if (isList(value))
        return `[${value.map(encode).join(',')}]`;
    const pairs = Object.entries(value).filter((pair) => pair[1] !== undefined);
    return `{${pairs.map(([name, item]) => `${JSON.stringify(name)}:${encode(item)}`).join(',')}}`;
}
/** Whether a decoded value is an object: neither a list nor a number. */
export function isObject(value) {
    return typeof value === 'object' && value !== null && !(value instanceof Decimal) && !Array.isArray(value);
}
// Array.isArray does not narrow a readonly list.
function isList(value) {
    return Array.isArray(value);
}
class Decoder {
    #text;
    #at = 0;
    #depth = 0;
    constructor(text) {
        this.#text = text;
    }
    whole() {
        const value = this.#value();
        this.#skip();
        if (this.#at < this.#text.length)
            throw this.#error();
        return value;
    }
    #value() {
        this.#skip();
        switch (this.#text[this.#at]) {
            case '{':
                return this.#nested(() => this.#object());
            case '[':
                return this.#nested(() => this.#list());
            case '"':
                return this.#string();
            default:
                return this.#wordOrNumber();
        }
    }
    #nested(read) {
        this.#depth += 1;
        if (this.#depth > DEPTH_MAX)
            throw new SyntaxError(`JSON deeper than ${DEPTH_MAX} levels`);
        this.#at += 1;
        const value = read();
        this.#depth -= 1;
        return value;
    }
    #object() {
        const object = {};
        if (this.#has('}'))
            return object;
        do {
            this.#skip();
            const name = this.#string();
            this.#expect(':');
            const value = this.#value();
            // An assignment to this name would set the prototype.
            if (name === '__proto__')
                Object.defineProperty(object, name, { value, enumerable: true });
            else
                object[name] = value;
        } while (this.#has(','));
        this.#expect('}');
        return object;
    }
    #list() {
        const list = [];
        if (this.#has(']'))
            return list;
        do
            list.push(this.#value());
        while (this.#has(','));
        this.#expect(']');
        return list;
    }
    #string() {
        const text = this.#text;
        if (text[this.#at] !== '"')
            throw this.#error();
        let end = this.#at + 1;
        let isEscaped = false;
        for (;; end += 1) {
            const code = text.charCodeAt(end);
            if (code === 0x22)
                break;
            // NaN: the text has ended.
            if (!(code >= 0x20))
                throw this.#error();
            if (code === 0x5c) {
                isEscaped = true;
                end += 1;
            }
        }
        const quoted = text.slice(this.#at, end + 1);
        this.#at = end + 1;
        return isEscaped ? JSON.parse(quoted) : quoted.slice(1, -1);
    }
    #number() {
        NUMBER.lastIndex = this.#at;
        const match = NUMBER.exec(this.#text);
        if (!match)
            throw this.#error();
        this.#at = NUMBER.lastIndex;
        try {
            return new Decimal(match[0]);
        }
        catch (error) {
            throw new SyntaxError(`JSON with ${error.message}`);
        }
    }
    #wordOrNumber() {
        for (const [word, value] of WORDS) {
            if (this.#text.startsWith(word, this.#at)) {
                this.#at += word.length;
                return value;
            }
        }
        return this.#number();
    }
    #has(sign) {
        this.#skip();
        if (this.#text[this.#at] !== sign)
            return false;
        this.#at += 1;
        return true;
    }
    #expect(sign) {
        if (!this.#has(sign))
            throw this.#error();
    }
    #skip() {
        SPACE.lastIndex = this.#at;
        SPACE.test(this.#text);
        this.#at = SPACE.lastIndex;
    }
    #error() {
        const found = this.#text[this.#at];
        return new SyntaxError(found === undefined ? 'JSON ends too early' : `JSON has ${found} at ${this.#at}`);
    }
}
