// Texts of lists that filter, sort and export. README.md, "Texts", says how to add one.
import { plural, type Value } from '../../shared/texts/language'

// ListTools
export const newest = 'Newest'
export const order = 'Order'
export const ofRead = (done: string, total: string) => `${done} of ${total} read`
export const stop = 'Stop'
export const exportCsv = 'Export CSV'

// choices
export const buysAndSells = 'Buys and sells'
export const buys = 'Buys'
export const sells = 'Sells'
export const both = 'Both'
export const usDollars = 'US dollars'
export const naira = 'Naira'

// listing
export const rowsExported = (count: number) => `${plural(count, { one: 'One row', other: `${count} rows` })} exported`
export const theListWasNotExported = 'The list was not exported'

// read-all
export const narrowTheListFirst = (most: Value) => `Narrow the list first: at most ${most} rows can be sorted.`
