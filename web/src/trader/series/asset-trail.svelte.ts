// The prices of an asset since the page is open. Pages share them, so a walk from a series to its round keeps the line.
import { SvelteMap } from 'svelte/reactivity'
import { assets } from '../../shared/stream/stream'
import type { Point } from '../chart/geometry'

const POINTS_MAX = 3000
const trails = new SvelteMap<string, Point[]>()

export const trailOf = (symbol: string): Point[] => trails.get(symbol) ?? []

/** Follows an asset until the returned function is called. */
export function followAsset(symbol: string): () => void {
  return assets.listen(`asset_prices:${symbol}`, {
    receive(message) {
      const time = Math.floor((message.timestamp ?? Date.now()) / 1000)
      const known = trailOf(symbol).filter((point) => point.time < time)
      trails.set(symbol, [...known.slice(-POINTS_MAX), { time, value: Number(message.data.price) }])
    },
  })
}
