import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readPast } from './history'

const candle = { start: '2026-01-01T00:00:00Z', open: 0.4, high: 0.6, low: 0.3, close: 0.5, volume: 7 }

beforeEach(() => {
  vi.stubGlobal('location', { origin: 'http://here' })
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => new Response(JSON.stringify({ candles: [candle] }), { headers: { 'content-type': 'application/json' } })),
  )
})
afterEach(() => {
  vi.unstubAllGlobals()
})

test('candles that are both bars and a line are read once', async () => {
  const from = Date.parse(candle.start) / 1000
  const { lines, bars } = await readPast('event', ['one', 'two'], 'one', [from, from + 120], 'USD')
  expect(fetch).toHaveBeenCalledTimes(2)
  expect(bars).toEqual([{ time: from, open: 0.4, high: 0.6, low: 0.3, close: 0.5, volume: 7 }])
  expect([...lines.keys()]).toEqual(['one', 'two'])
  expect(lines.get('one')?.at(-1)?.value).toBe(0.5)
})
