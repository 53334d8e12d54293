import { expect, test } from 'vitest'
import type { Assets, SeriesState, VenueStatus } from '../api/types'
import { alertsOf } from './alerts'

const now = Date.parse('2035-01-01T12:00:00Z')
const well = { canWrite: true, cancelOnly: [], historyLag: 0 } as unknown as VenueStatus
const feed = (lastSuccess: string, kind = 'http', lastError?: string) => ({
  name: 'desk',
  symbol: 'BTC',
  kind,
  lastSuccess,
  failures: 0,
  ...(lastError ? { lastError } : {}),
})
const seen = { status: well, series: [], assets: undefined, closedEvents: 0, resets: 0, now }

test('all well, nothing to say', () => {
  const assets = { feeds: [feed('2035-01-01T11:59:59Z')], assets: [] } as Assets
  expect(alertsOf({ ...seen, assets })).toEqual([])
})

test('a failing or silent feed is grave, a silent pushed feed is not', () => {
  const assets = {
    feeds: [feed('2035-01-01T11:00:00Z'), feed('2035-01-01T11:59:59Z', 'http', 'timed out'), feed('', 'push')],
    assets: [],
  } as unknown as Assets
  expect(alertsOf({ ...seen, assets }).map((alert) => alert.title)).toEqual([
    'A feed is silent: desk for BTC',
    'A feed fails: desk for BTC',
  ])
})

test('grave ones come first, old ones of series not at all', () => {
  const series = [
    {
      displayName: 'Bitcoin',
      slug: 'btc',
      alerts: [
        { at: '2035-01-01T11:45:00Z', reason: 'stale_price' },
        { at: '2034-12-01T11:45:00Z', reason: 'stale_price' },
      ],
    },
  ] as unknown as SeriesState[]
  const titles = alertsOf({ ...seen, series, closedEvents: 1, resets: 2 }).map((alert) => alert.title)
  expect(titles).toEqual([
    'Bitcoin: no fresh price',
    '1 closed event waits for a verdict',
    '2 requests for new passwords wait',
  ])
})
