// Which spans a chart offers.
import { expect, test } from 'vitest'
import { firstPeriod, intervalOf, lifeOf, periodsOf, reachingBack, spanOf } from './periods'

const [hour, day] = [3600, 86_400]
const dates = { createdAt: '2026-01-01T09:00:00Z', openingDate: '', closingDate: '2026-01-01T09:15:00Z', resolvedAt: '' }
const opened = Date.parse(dates.createdAt) / 1000

test('an event ends at its closing, once that has come', () => {
  expect(lifeOf(dates, (opened + 60) * 1000)).toEqual({ begun: opened, ended: undefined })
  expect(lifeOf(dates, (opened + hour) * 1000)).toEqual({ begun: opened, ended: opened + 900 })
})

test('a span that is longer than the event has lived is not offered, and All always is', () => {
  const life = { begun: 0, ended: undefined }
  expect(periodsOf(life, 3 * day).map((one) => one.label)).toEqual(['1H', '12H', '24H', 'All'])
  expect(periodsOf(life, 60).map((one) => one.label)).toEqual(['All'])
  expect([firstPeriod(life, day), firstPeriod(life, 30 * day)]).toEqual(['ALL', '1W'])
})

test('the span of what is over ends where it ended', () => {
  expect(spanOf('1H', { begun: 0, ended: 10 * day }, 20 * day)).toEqual([10 * day - hour, 10 * day])
  expect(spanOf('ALL', { begun: 0, ended: undefined }, 20 * day)).toEqual([0, 20 * day])
  expect(spanOf('1Y', { begun: 0, ended: undefined }, 20 * day)).toEqual([0, 20 * day])
})

test('the history that is read reaches back to the start, and no interval gives a thousand candles', () => {
  expect([0.5, 20, 100, 9000].map((hours) => reachingBack(0, hours * hour))).toEqual(['12H', '24H', '1W', undefined])
  expect(reachingBack(0, 168 * hour + 5)).toBe('1W')
  const seconds = { '1m': 60, '5m': 300, '15m': 900, '1h': hour, '6h': 6 * hour, '1d': day }
  for (const hours of [0.2, 1, 11, 24, 168, 700, 8760, 20_000]) {
    expect((hours * hour) / seconds[intervalOf(0, hours * hour)]).toBeLessThan(1000)
  }
})
