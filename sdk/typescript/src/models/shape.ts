/**
 * Readers of answers. A shape names each field of an interface with the way to read it, so the compiler checks that
 * both agree, and a test compares the shapes with the exchange's OpenAPI document.
 *
 * Answers may have more fields than these; a field that this version does not know is ignored.
 */

import { Decimal } from '../decimal.js'
import { UnreadableAnswer } from '../errors.js'
import { isObject, type Json, type JsonObject } from '../json.js'

/** What a field holds. */
export type Kind = 'text' | 'decimal' | 'count' | 'flag' | 'time' | 'object' | 'list'

/** How one field is read. */
export interface Field<T> {
  readonly kind: Kind
  readonly isOptional: boolean
  readonly read: (value: Json | undefined, where: string) => T
}

/** How every field of an interface is read. */
export type Shape<T> = { readonly [Name in keyof T]-?: Field<T[Name]> }

/** A text. */
export const text: Field<string> = required('text', (value) => (typeof value === 'string' ? value : undefined))

/** A number with all its digits. The exchange sends some as text. */
export const decimal: Field<Decimal> = required('decimal', (value) => {
  if (value instanceof Decimal) return value
  try {
    return typeof value === 'string' ? new Decimal(value) : undefined
  } catch {
    return undefined
  }
})

/** A whole number that fits a JavaScript number: a count, an index, a sequence. */
export const count: Field<number> = required('count', (value) => {
  const number = value instanceof Decimal && value.scale === 0 ? Number(value.digits) : NaN
  return Number.isSafeInteger(number) ? number : undefined
})

/** True or false. */
export const flag: Field<boolean> = required('flag', (value) => (typeof value === 'boolean' ? value : undefined))

/** A moment. A `Date` has milliseconds; the exchange's microseconds are cut off. */
export const time: Field<Date> = required('time', (value) => {
  const date = new Date(typeof value === 'string' ? value : NaN)
  return Number.isNaN(date.getTime()) ? undefined : date
})

/** A field that may be absent, null, or for a moment also empty. */
export function optional<T>(field: Field<T>): Field<T | undefined> {
  const isUnset = (value: Json | undefined) =>
    value === undefined || value === null || (value === '' && field.kind === 'time')
  const read = (value: Json | undefined, where: string) => (isUnset(value) ? undefined : field.read(value, where))
  return { kind: field.kind, isOptional: true, read }
}

/** A list. */
export function list<T>(field: Field<T>): Field<readonly T[]> {
  const read = (value: Json | undefined, where: string) =>
    items(value, where).map((item, index) => field.read(item, `${where}[${index}]`))
  return { kind: 'list', isOptional: false, read }
}

/** An object with a shape. */
export function object<T extends object>(shape: Shape<T>): Field<T> {
  return { kind: 'object', isOptional: false, read: (value, where) => readShape(shape, value, where) }
}

/** Reads an object. Throws `UnreadableAnswer` if a field is missing or of another kind. */
export function readShape<T extends object>(shape: Shape<T>, value: Json | undefined, where: string): T {
  const fields = member(value, where)
  const result: Partial<Record<keyof T, unknown>> = {}
  for (const name of Object.keys(shape) as (keyof T & string)[]) {
    const read = shape[name].read(fields[name], `${where}.${name}`)
    if (read !== undefined) result[name] = read
  }
  return result as T
}

/** A value that must be an object. */
export function member(value: Json | undefined, where: string): JsonObject {
  if (!isObject(value)) throw new UnreadableAnswer(`${where} is not an object`)
  return value
}

/** A value that must be a list. */
export function items(value: Json | undefined, where: string): readonly Json[] {
  if (!Array.isArray(value)) throw new UnreadableAnswer(`${where} is not a list`)
  return value as readonly Json[]
}

function required<T>(kind: Kind, convert: (value: Json | undefined) => T | undefined): Field<T> {
  const read = (value: Json | undefined, where: string) => {
    const converted = convert(value)
    if (converted === undefined) throw new UnreadableAnswer(`${where} is not a ${kind}`)
    return converted
  }
  return { kind, isOptional: false, read }
}
