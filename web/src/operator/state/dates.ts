// Between the API's moments, which are UTC, and what a date field shows, which is the reader's own time.
import { milliseconds } from '../../shared/numbers/time'

const MINUTE = 60_000

/** 2035-07-01T09:30, or nothing for an unset date. */
export function toField(date: string | undefined): string {
  const at = milliseconds(date)
  if (at === null) return ''
  return new Date(at - new Date(at).getTimezoneOffset() * MINUTE).toISOString().slice(0, 16)
}

/** The moment that a date field means, or nothing if it is empty. */
export function fromField(text: string): string | undefined {
  const at = text ? new Date(text).getTime() : NaN
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}
