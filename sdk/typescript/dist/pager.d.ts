/** Lists that are longer than a page. */
import type { Json } from './json.js';
import { type Access, type Request } from './requests/base.js';
import type { QueryValue } from './text.js';
import type { Answer } from './wire.js';
/** Where a list is, and how its rows are read. */
export interface Source<Item> {
    readonly path: string;
    /** The field of the answer with the rows. */
    readonly key: string;
    readonly parameters: Readonly<Record<string, QueryValue>>;
    readonly access: Access;
    /** Rows of a page. */
    readonly size: number;
    readonly send: (request: Request) => Promise<Answer>;
    readonly build: (row: Json, answer: Answer) => Item;
}
/**
 * A list of the exchange, read page by page while you iterate with `for await`.
 *
 * Lists that grow have a cursor, so no row is skipped or repeated. Others have page numbers: there, a row that moved to
 * the next page in the meantime is still returned once.
 */
export declare class Pager<Item extends object> implements AsyncIterable<Item> {
    #private;
    constructor(source: Source<Item>);
    /** One page after another. */
    pages(): AsyncGenerator<Item[], void, undefined>;
    /** The rows, for `for await`. */
    [Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined>;
    /** Every row. */
    all(): Promise<Item[]>;
    /** The first rows, at most `count`, without reading further pages. */
    first(count: number): Promise<Item[]>;
}
