// What an operator should look at, gathered from everywhere, the gravest first.
import { milliseconds } from '../../shared/numbers/time'
import type { Assets, SeriesState, VenueStatus } from '../api/types'
import { alertWords } from '../state/words'
import * as texts from '../texts/overview'

export interface Alert {
  grave: boolean
  title: string
  detail: string
  address: string
  /** When it was noticed, if that is known. */
  at?: string
}

/** A price that is older closes nothing. */
const FRESH_MILLISECONDS = 60_000
const LAG_WORRYING = 1000
/** Older alerts of a series are history: its own page keeps them. */
const RECENT_MILLISECONDS = 24 * 3600 * 1000
const SHOWN_MAX = 12

interface Seen {
  status: VenueStatus | undefined
  series: SeriesState[]
  assets: Assets | undefined
  closedEvents: number
  /** Requests for a new password that no operator has approved. */
  resets: number
  now: number
}

export function alertsOf({ status, series, assets, closedEvents, resets, now }: Seen): Alert[] {
  const found: Alert[] = []
  if (status && !status.canWrite)
    found.push({ grave: true, title: texts.theJournalHasFailed, detail: texts.nothingCanBeWritten, address: '/' })
  if (status?.cancelOnly.includes('low_disk'))
    found.push({ grave: true, title: texts.theDiskIsNearlyFull, detail: texts.onlyCancelsAreTaken, address: '/' })
  if (status && status.historyLag > LAG_WORRYING)
    found.push({
      grave: false,
      title: texts.historyIsBehind,
      detail: texts.requestsAreNotStoredYet(status.historyLag),
      address: '/',
    })
  for (const feed of assets?.feeds ?? []) {
    const heard = milliseconds(feed.lastSuccess)
    const name = texts.feedFor(feed.name, feed.symbol)
    if (feed.lastError)
      found.push({ grave: true, title: texts.aFeedFails(name), detail: feed.lastError, address: '/series?tab=feeds' })
    // Pushed prices come by hand, at any interval.
    else if (feed.kind !== 'push' && (heard === null || now - heard > FRESH_MILLISECONDS))
      found.push({
        grave: true,
        title: texts.aFeedIsSilent(name),
        detail: texts.aPrice,
        address: '/series?tab=feeds',
        at: feed.lastSuccess,
      })
  }
  if (closedEvents > 0)
    found.push({
      grave: false,
      title: texts.closedEventsWait(closedEvents),
      detail: texts.tradingIsOverNobody,
      address: '/events?status=closed',
    })
  if (resets > 0)
    found.push({
      grave: false,
      title: texts.requestsForNewPasswordsWait(resets),
      detail: texts.thePersonReadsACode,
      address: '/password-resets',
    })
  const intervals = series
    .flatMap((one) => one.alerts.map((alert) => ({ one, alert })))
    .filter(({ alert }) => now - (milliseconds(alert.at) ?? 0) < RECENT_MILLISECONDS)
    .sort((left, right) => right.alert.at.localeCompare(left.alert.at))
  for (const { one, alert } of intervals) {
    found.push({
      grave: alert.reason !== 'missed',
      title: `${one.displayName}: ${alertWords(alert.reason).toLowerCase()}`,
      detail: texts.anIntervalOfDid(one.slug),
      address: '/series',
      at: alert.at,
    })
  }
  return found.sort((left, right) => Number(right.grave) - Number(left.grave)).slice(0, SHOWN_MAX)
}
