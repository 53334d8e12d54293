/** Spelling shared by requests and answers: ids in paths, times, queries. */
import { Decimal } from './decimal.js';
/** A value of a query. Lists are joined with commas; values that are undefined are left out. */
export type QueryValue = string | number | boolean | Decimal | Date | readonly (string | number)[] | undefined;
/** Whether a text is an id of the exchange (a UUID), and not a slug. */
export declare function isId(text: string): boolean;
/** One segment of a path. A slash in an id must not lead to another path. */
export declare function part(text: string): string;
/** A time as the exchange reads it. */
export declare function moment(value: Date | string): string;
/** The query of an address, with its question mark; empty without parameters. */
export declare function query(parameters: Readonly<Record<string, QueryValue>>): string;
/** Whether two labels are equal in any case. */
export declare function isSameText(one: string, other: string): boolean;
