// The title of a series' event as its reader sees it: the series, and its span in the reader's own time. The exchange's own
// title has the span in UTC, which is how it is recognised; every other title stays as it is.
import { clockOf, dayOf } from '../../shared/numbers/time'
import * as texts from '../texts/market'

const PATTERN = /^(.+): up or down, (\d{4}-\d\d-\d\d) (\d\d:\d\d) to (\d{4}-\d\d-\d\d) (\d\d:\d\d) UTC$/

export function shownTitle(title: string, now = Date.now()): string {
  const found = PATTERN.exec(title)
  if (!found) return title
  const [, name, fromDay, fromTime, toDay, toTime] = found
  const [from, to] = [Date.parse(`${fromDay}T${fromTime}Z`), Date.parse(`${toDay}T${toTime}Z`)]
  if (Number.isNaN(from) || Number.isNaN(to)) return title
  // Today needs no date; a span within a day has one.
  const today = dayOf(from) === dayOf(now)
  const begin = today && dayOf(from) === dayOf(to) ? clockOf(from) : `${dayOf(from)} ${clockOf(from)}`
  const end = dayOf(from) === dayOf(to) ? clockOf(to) : `${dayOf(to)} ${clockOf(to)}`
  return texts.upOrDown(name!, begin, end)
}
