// How moments look: dates in the reader's own time zone, distances in the two largest units.
import { lazily } from '../lazily'
import * as texts from '../texts/common'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const format = (options: Intl.DateTimeFormatOptions) => lazily(() => new Intl.DateTimeFormat(undefined, options))
const dateFormat = format({ day: 'numeric', month: 'short', year: 'numeric' })
const momentFormat = format({
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
})
const shortFormat = format({
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
})
const hourFormat = format({ hour: '2-digit', minute: '2-digit' })
const monthFormat = format({ day: 'numeric', month: 'short' })
const utcFormat = format({
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
  timeZoneName: 'short',
})
const clockFormat = format({ hour: '2-digit', minute: '2-digit', second: '2-digit' })

/** Milliseconds of a date of the API, where an unset one is the empty text. */
export function milliseconds(date: string | undefined): number | null {
  const parsed = date ? Date.parse(date) : NaN
  return Number.isNaN(parsed) ? null : parsed
}

function written(format: () => Intl.DateTimeFormat, date: string | undefined): string {
  const at = milliseconds(date)
  return at === null ? '–' : format().format(at)
}

export const day = (date: string | undefined) => written(dateFormat, date)
export const moment = (date: string | undefined) => written(momentFormat, date)
export const shortMoment = (date: string | undefined) => written(shortFormat, date)
export const clock = (date: string | undefined) => written(clockFormat, date)

/** A moment in UTC, for the title of an element; nothing where there is none. */
export function inUtc(date: string | undefined): string | undefined {
  return milliseconds(date) === null ? undefined : written(utcFormat, date)
}

/** 22:15 and 17 Nov, of milliseconds. */
export const clockOf = (at: number) => hourFormat().format(at)
export const dayOf = (at: number) => monthFormat().format(at)

/** 3d 4h, 12m 5s: what is left, or nothing if it is over. */
export function remaining(until: number, now: number): string {
  const left = until - now
  if (left <= 0) return ''
  if (left >= DAY) return texts.daysAndHours(Math.floor(left / DAY), Math.floor((left % DAY) / HOUR))
  if (left >= HOUR) return texts.hoursAndMinutes(Math.floor(left / HOUR), Math.floor((left % HOUR) / MINUTE))
  return texts.minutesAndSeconds(Math.floor(left / MINUTE), Math.floor((left % MINUTE) / SECOND))
}

/** just now, 5m ago, 3h ago, 2d ago. */
export function ago(date: string | undefined, now: number): string {
  const at = milliseconds(date)
  if (at === null) return ''
  const past = Math.max(0, now - at)
  if (past < MINUTE) return texts.justNow
  if (past < HOUR) return texts.minutesAgo(Math.floor(past / MINUTE))
  if (past < DAY) return texts.hoursAgo(Math.floor(past / HOUR))
  return texts.daysAgo(Math.floor(past / DAY))
}
