/**
 * Exact decimal numbers on top of BigInt. Prices, sizes and money are never binary floating point in this package.
 */
/** A number of a caller. A `number` means the shortest decimal that reads back as it: 0.1 means 0.1. */
export type Numeric = Decimal | number | bigint | string;
/** What happens to digits that do not fit. `half-up` rounds ties away from zero, `down` towards zero. */
export type Rounding = 'half-up' | 'down' | 'up' | 'floor' | 'ceiling';
/**
 * An exact decimal number. It never changes; equal numbers have equal fields.
 *
 * Operators such as `+` and `<` throw an error instead of rounding silently: use the methods.
 */
export declare class Decimal {
    /** All digits as an integer. */
    readonly digits: bigint;
    /** How many of the digits follow the point: 0 or more, without zeros at the end. */
    readonly scale: number;
    /** Makes a decimal of what a caller means. Throws an error for what is no finite number. */
    constructor(value: Numeric);
    /** The sum. */
    plus(other: Numeric): Decimal;
    /** The difference. */
    minus(other: Numeric): Decimal;
    /** The product. */
    times(other: Numeric): Decimal;
    /** The quotient, rounded to `places` digits after the point. */
    dividedBy(divisor: Numeric, places?: number, rounding?: Rounding): Decimal;
    /** This number with at most `places` digits after the point. */
    round(places?: number, rounding?: Rounding): Decimal;
    /** This number with the other sign. */
    negated(): Decimal;
    /** This number without its sign. */
    abs(): Decimal;
    /** -1, 0 or 1: less than, equal to or greater than the other number. For `sort`. */
    compare(other: Numeric): -1 | 0 | 1;
    /** Whether both are the same number. */
    equals(other: Numeric): boolean;
    /** Whether this number is less than the other. */
    lessThan(other: Numeric): boolean;
    /** Whether this number is greater than the other. */
    greaterThan(other: Numeric): boolean;
    /** Whether this number is less than or equal to the other. */
    atMost(other: Numeric): boolean;
    /** Whether this number is greater than or equal to the other. */
    atLeast(other: Numeric): boolean;
    /** Whether this is 0. */
    isZero(): boolean;
    /** The nearest binary floating-point number, for charts and statistics. It may differ from this number. */
    toNumber(): number;
    /** All digits, without an exponent and without zeros at the end of the fraction. */
    toString(): string;
    /** Text with exactly `places` digits after the point. */
    toFixed(places: number, rounding?: Rounding): string;
    /** The text of the number: `JSON.stringify` writes a string. The client itself sends a JSON number. */
    toJSON(): string;
    /** Text for templates; an error for operators, because they would make a binary number of this one. */
    [Symbol.toPrimitive](hint: string): string;
    /** The least of some numbers. */
    static min(first: Numeric, ...others: Numeric[]): Decimal;
    /** The greatest of some numbers. */
    static max(first: Numeric, ...others: Numeric[]): Decimal;
}
