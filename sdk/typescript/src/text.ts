/** Spelling shared by requests and answers: ids in paths, times, queries. */

import { Decimal } from './decimal.js'

/** A value of a query. Lists are joined with commas; values that are undefined are left out. */
export type QueryValue = string | number | boolean | Decimal | Date | readonly (string | number)[] | undefined

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether a text is an id of the exchange (a UUID), and not a slug. */
export function isId(text: string): boolean {
  return ID.test(text)
}

/** One segment of a path. A slash in an id must not lead to another path. */
export function part(text: string): string {
  if (text === '' || text === '.' || text === '..') throw new RangeError(`not an id or a slug: ${JSON.stringify(text)}`)
  return encodeURIComponent(text)
}

/** A time as the exchange reads it. */
export function moment(value: Date | string): string {
  return typeof value === 'string' ? value : value.toISOString()
}

/** The query of an address, with its question mark; empty without parameters. */
export function query(parameters: Readonly<Record<string, QueryValue>>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) search.append(name, word(value))
  }
  const text = search.toString()
  return text === '' ? '' : `?${text}`
}

/** Whether two labels are equal in any case. */
export function isSameText(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

function word(value: Exclude<QueryValue, undefined>): string {
  if (value instanceof Date) return moment(value)
  return value instanceof Decimal ? value.toString() : String(value)
}
