// Announced terms come and go with the messages of the stream.
import { expect, it, vi } from 'vitest'
import type { Market } from '../../shared/api/types'
import { followPrices, pricesOf, sameTerms } from './price-board.svelte'

type Receive = (message: unknown) => void
const line = vi.hoisted(() => ({ receive: (() => undefined) as Receive }))
vi.mock('../../shared/stream/stream', () => ({
  markets: {
    listen(_room: string, listener: { receive: Receive }) {
      line.receive = listener.receive
      return () => undefined
    },
  },
}))
vi.mock('../session/currency.svelte', () => ({ currency: { current: 'USD' } }))

const announced = { feePercentage: 9, minimumOrderAmount: 7, from: '2030-01-01T01:00:00Z' }
const outcomes = { YES: 0.5, NO: 0.5 }

function tell(id: string, announcedTerms?: typeof announced) {
  const listing = (currency: string) => ({ currency, prices: outcomes, buyPrices: outcomes })
  const listings = [{ ...listing('USD'), ...(announcedTerms ? { announcedTerms } : {}) }, listing('NGN')]
  line.receive({ data: { markets: [{ id, status: 'open', listings }] } })
}

it('shows what was read until the stream tells otherwise', () => {
  const market = { id: 'm', announcedTerms: announced } as unknown as Market
  expect(pricesOf(market).announced).toBe(announced)
  const leave = followPrices('e')
  tell('m')
  expect(pricesOf(market).announced).toBeUndefined()
  tell('m', { ...announced })
  expect(pricesOf(market).announced).toEqual(announced)
  tell('m', { ...announced, from: '2030-01-01T02:00:00Z' })
  expect(pricesOf(market).announced?.from).toBe('2030-01-01T02:00:00Z')
  leave()
})

it('draws nothing again for terms that were told again', () => {
  followPrices('e')
  tell('n', { ...announced })
  const before = pricesOf({ id: 'n' } as Market)
  tell('n', { ...announced })
  expect(pricesOf({ id: 'n' } as Market)).toBe(before)
  expect(sameTerms(undefined, announced)).toBe(false)
})
