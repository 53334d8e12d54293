/**
 * Exact decimal numbers on top of BigInt. Prices, sizes and money are never binary floating point in this package.
 */
const PATTERN = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
/** Larger exponents and longer texts are refused: they would need gigabytes. */
const DIGITS_MAX = 1000;
/**
 * An exact decimal number. It never changes; equal numbers have equal fields.
 *
 * Operators such as `+` and `<` throw an error instead of rounding silently: use the methods.
 */
export class Decimal {
    /** All digits as an integer. */
    digits;
    /** How many of the digits follow the point: 0 or more, without zeros at the end. */
    scale;
    /** Makes a decimal of what a caller means. Throws an error for what is no finite number. */
    constructor(value) {
        if (value instanceof Decimal) {
            this.digits = value.digits;
            this.scale = value.scale;
            return;
        }
        const [digits, scale] = normal(...parse(value));
        this.digits = digits;
        this.scale = scale;
    }
    /** The sum. */
    plus(other) {
        const [mine, theirs, scale] = aligned(this, new Decimal(other));
        return make(mine + theirs, scale);
    }
    /** The difference. */
    minus(other) {
        const [mine, theirs, scale] = aligned(this, new Decimal(other));
        return make(mine - theirs, scale);
    }
    /** The product. */
    times(other) {
        const factor = new Decimal(other);
        return make(this.digits * factor.digits, this.scale + factor.scale);
    }
    /** The quotient, rounded to `places` digits after the point. */
    dividedBy(divisor, places = 12, rounding = 'half-up') {
        const by = new Decimal(divisor);
        if (by.digits === 0n)
            throw new RangeError('a decimal cannot be divided by 0');
        const shift = checkedPlaces(places) + by.scale - this.scale;
        const above = shift >= 0 ? this.digits * power(shift) : this.digits;
        const below = shift >= 0 ? by.digits : by.digits * power(-shift);
        return make(divide(above, below, rounding), places);
    }
    /** This number with at most `places` digits after the point. */
    round(places = 0, rounding = 'half-up') {
        if (this.scale <= checkedPlaces(places))
            return this;
        return make(divide(this.digits, power(this.scale - places), rounding), places);
    }
    /** This number with the other sign. */
    negated() {
        return make(-this.digits, this.scale);
    }
    /** This number without its sign. */
    abs() {
        return this.digits < 0n ? this.negated() : this;
    }
    /** -1, 0 or 1: less than, equal to or greater than the other number. For `sort`. */
    compare(other) {
        const [mine, theirs] = aligned(this, new Decimal(other));
        return mine < theirs ? -1 : mine > theirs ? 1 : 0;
    }
    /** Whether both are the same number. */
    equals(other) {
        return this.compare(other) === 0;
    }
    /** Whether this number is less than the other. */
    lessThan(other) {
        return this.compare(other) < 0;
    }
    /** Whether this number is greater than the other. */
    greaterThan(other) {
        return this.compare(other) > 0;
    }
    /** Whether this number is less than or equal to the other. */
    atMost(other) {
        return this.compare(other) <= 0;
    }
    /** Whether this number is greater than or equal to the other. */
    atLeast(other) {
        return this.compare(other) >= 0;
    }
    /** Whether this is 0. */
    isZero() {
        return this.digits === 0n;
    }
    /** The nearest binary floating-point number, for charts and statistics. It may differ from this number. */
    toNumber() {
        return Number(this.toString());
    }
    /** All digits, without an exponent and without zeros at the end of the fraction. */
    toString() {
        const sign = this.digits < 0n ? '-' : '';
        const text = (this.digits < 0n ? -this.digits : this.digits).toString().padStart(this.scale + 1, '0');
        const point = text.length - this.scale;
        return sign + (this.scale === 0 ? text : `${text.slice(0, point)}.${text.slice(point)}`);
    }
    /** Text with exactly `places` digits after the point. */
    toFixed(places, rounding = 'half-up') {
        const rounded = this.round(places, rounding);
        const text = rounded.toString();
        const missing = places - rounded.scale;
        return missing === 0 ? text : (rounded.scale === 0 ? `${text}.` : text) + '0'.repeat(missing);
    }
    /** The text of the number: `JSON.stringify` writes a string. The client itself sends a JSON number. */
    toJSON() {
        return this.toString();
    }
    /** Text for templates; an error for operators, because they would make a binary number of this one. */
    [Symbol.toPrimitive](hint) {
        if (hint === 'string')
            return this.toString();
        throw new TypeError('a Decimal has no operators: use plus, minus, times, lessThan, equals or toNumber');
    }
    /** The least of some numbers. */
    static min(first, ...others) {
        return others.map((other) => new Decimal(other)).reduce((a, b) => (b.lessThan(a) ? b : a), new Decimal(first));
    }
    /** The greatest of some numbers. */
    static max(first, ...others) {
        return others.map((other) => new Decimal(other)).reduce((a, b) => (b.greaterThan(a) ? b : a), new Decimal(first));
    }
}
// Node's console shows the number itself.
Object.defineProperty(Decimal.prototype, Symbol.for('nodejs.util.inspect.custom'), {
    value() {
        return this.toString();
    },
});
function parse(value) {
    if (typeof value === 'bigint')
        return [value, 0];
    if (typeof value !== 'number' && typeof value !== 'string') {
        const kind = value === null ? 'null' : typeof value;
        throw new TypeError(`a number is a Decimal, number, bigint or string, not ${kind}`);
    }
    const text = String(value);
    const match = text.length <= DIGITS_MAX ? PATTERN.exec(text) : null;
    if (!match)
        throw new RangeError(`not a finite number: ${JSON.stringify(text.slice(0, 50))}`);
    const [, sign, whole, fraction = '', exponent = '0'] = match;
    const scale = fraction.length - Number(exponent);
    if (Math.abs(scale) > DIGITS_MAX)
        throw new RangeError(`a number with too many digits: ${text.slice(0, 50)}`);
    const digits = BigInt(`${whole}${fraction}`) * (sign === '-' ? -1n : 1n);
    return scale < 0 ? [digits * power(-scale), 0] : [digits, scale];
}
/** A decimal from its parts, without the way over a text. */
function make(digits, scale) {
    const [least, shortest] = normal(digits, scale);
    return Object.assign(Object.create(Decimal.prototype), { digits: least, scale: shortest });
}
/** Without zeros at the end of the fraction. */
function normal(digits, scale) {
    if (digits === 0n)
        return [0n, 0];
    while (scale > 0 && digits % 10n === 0n) {
        digits /= 10n;
        scale -= 1;
    }
    return [digits, scale];
}
/** Both numbers as integers of one scale. */
function aligned(a, b) {
    const scale = Math.max(a.scale, b.scale);
    return [a.digits * power(scale - a.scale), b.digits * power(scale - b.scale), scale];
}
function divide(above, below, rounding) {
    const quotient = above / below;
    const rest = above % below;
    if (rest === 0n)
        return quotient;
    const isNegative = above < 0n !== below < 0n;
    const away = quotient + (isNegative ? -1n : 1n);
    switch (rounding) {
        case 'down':
            return quotient;
        case 'up':
            return away;
        case 'floor':
            return isNegative ? away : quotient;
        case 'ceiling':
            return isNegative ? quotient : away;
        case 'half-up':
            return magnitude(rest) * 2n >= magnitude(below) ? away : quotient;
    }
}
function magnitude(value) {
    return value < 0n ? -value : value;
}
function power(exponent) {
    return 10n ** BigInt(exponent);
}
function checkedPlaces(places) {
    if (!Number.isInteger(places) || places < 0 || places > DIGITS_MAX) {
        throw new RangeError(`digits after the point are a whole number from 0 to ${DIGITS_MAX}, not ${places}`);
    }
    return places;
}
