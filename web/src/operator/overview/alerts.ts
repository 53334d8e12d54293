// What an operator should look at, gathered from everywhere, the gravest first.
import { milliseconds } from '../../shared/numbers/time'
import type { Assets, SeriesState, VenueStatus } from '../api/types'
import { alertWords } from '../state/words'

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
    found.push({ grave: true, title: 'The journal has failed', detail: 'Nothing can be written.', address: '/' })
  if (status?.cancelOnly.includes('low_disk'))
    found.push({ grave: true, title: 'The disk is nearly full', detail: 'Only cancels are taken.', address: '/' })
  if (status && status.historyLag > LAG_WORRYING)
    found.push({
      grave: false,
      title: 'History is behind',
      detail: `${status.historyLag} requests are not stored yet.`,
      address: '/',
    })
  for (const feed of assets?.feeds ?? []) {
    const heard = milliseconds(feed.lastSuccess)
    const name = `${feed.name} for ${feed.symbol}`
    if (feed.lastError)
      found.push({ grave: true, title: `A feed fails: ${name}`, detail: feed.lastError, address: '/series?tab=feeds' })
    // Pushed prices come by hand, at any interval.
    else if (feed.kind !== 'push' && (heard === null || now - heard > FRESH_MILLISECONDS))
      found.push({
        grave: true,
        title: `A feed is silent: ${name}`,
        detail: 'A price that is a minute old closes nothing.',
        address: '/series?tab=feeds',
        at: feed.lastSuccess,
      })
  }
  if (closedEvents > 0)
    found.push({
      grave: false,
      title: `${closedEvents} closed ${closedEvents === 1 ? 'event waits' : 'events wait'} for a verdict`,
      detail: 'Trading is over; nobody is paid yet.',
      address: '/events?status=closed',
    })
  if (resets > 0)
    found.push({
      grave: false,
      title: `${resets} ${resets === 1 ? 'request for a new password waits' : 'requests for new passwords wait'}`,
      detail: 'The person reads a code out; an operator approves it.',
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
      detail: `An interval of ${one.slug} did not go by itself.`,
      address: '/series',
      at: alert.at,
    })
  }
  return found.sort((left, right) => Number(right.grave) - Number(left.grave)).slice(0, SHOWN_MAX)
}
