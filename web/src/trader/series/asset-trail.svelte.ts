// The prices of an asset: those of the past as the exchange keeps them, then each new one. Pages share them, so a walk from a
// series to its round keeps the line.
import { SvelteMap } from 'svelte/reactivity'
import { answer, api } from '../../shared/api/client'
import { assets } from '../../shared/stream/stream'
import type { Point } from '../chart/geometry'
import { merged } from './rounds'

const POINTS_MAX = 3000
const trails = new SvelteMap<string, Point[]>()
/** Since when the past of an asset was read, in seconds. */
const since = new Map<string, number>()

export const trailOf = (symbol: string): Point[] => trails.get(symbol) ?? []

/** Reads the past from a moment on, once. Without it the line begins with the first new price. */
function readPast(symbol: string, from: number): void {
  if (from >= (since.get(symbol) ?? Infinity)) return
  since.set(symbol, from)
  const params = { path: { symbol }, query: { from: new Date(from * 1000).toISOString() } }
  answer(api.GET('/v1/pm/assets/{symbol}/prices', { params })).then(
    ({ prices }) => {
      const past = prices.map((one) => ({ time: Math.floor(Date.parse(one.recordedAt) / 1000), value: Number(one.price) }))
      trails.set(symbol, merged(past, trailOf(symbol)).slice(-POINTS_MAX))
    },
    () => since.delete(symbol),
  )
}

/** Follows an asset, with its past from a moment in seconds on, until the returned function is called. */
export function followAsset(symbol: string, from: number): () => void {
  readPast(symbol, from)
  return assets.listen(`asset_prices:${symbol}`, {
    receive(message) {
      const time = Math.floor((message.timestamp ?? Date.now()) / 1000)
      const known = trailOf(symbol).filter((point) => point.time < time)
      trails.set(symbol, [...known.slice(-POINTS_MAX), { time, value: Number(message.data.price) }])
    },
    // What came while the connection was cut.
    resumed() {
      since.delete(symbol)
      readPast(symbol, from)
    },
  })
}
