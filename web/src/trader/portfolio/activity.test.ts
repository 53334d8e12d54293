// What the list of activities says of an order.
import { expect, it } from 'vitest'
import type { Activity } from '../../shared/api/types'
import { units } from '../../shared/numbers/decimal'
import { told } from './activity'

const activity = (some: Partial<Activity>) => ({ outcome: 'YES', ...some }) as Activity

it('tells a market order by what it filled, not by what it asked for', () => {
  const bought = { type: 'BUY_MARKET_ORDER_CREATED', size: '5', filledSize: '5', totalCost: '2.5' } as const
  expect(told(activity(bought)).money).toBe(units('-2.5'))
  const sold = { type: 'SELL_MARKET_ORDER_CREATED', size: '50000', filledSize: '536.46', totalCost: '166.3' } as const
  expect(told(activity(sold))).toEqual({ word: 'Sold', outcome: 'YES', shares: '536.46', money: units('166.3') })
})

it('does not call an unfilled order a purchase', () => {
  const nothing = { type: 'BUY_MARKET_ORDER_CREATED', size: '0', filledSize: '0', totalCost: '0' } as const
  expect(told(activity(nothing))).toEqual({ word: 'Nothing bought', outcome: 'YES', shares: '0', money: undefined })
})

it('shows no money for a bid that only waits, and what it took at once otherwise', () => {
  const bid = { type: 'BUY_LIMIT_ORDER_CREATED', size: '30', filledSize: '0', totalCost: '0' } as const
  expect(told(activity(bid)).money).toBeUndefined()
  const took = { word: 'Bid placed', outcome: 'YES', shares: '30', money: units('-1.1') }
  expect(told(activity({ ...bid, totalCost: '1.1' }))).toEqual(took)
})

it('shows what came back of a bid, and what a share paid', () => {
  const given = { type: 'BUY_LIMIT_ORDER_CANCELLED', size: '30', amountRefunded: '3.3', totalCost: '0' } as const
  expect(told(activity(given))).toEqual({ word: 'Bid cancelled', outcome: 'YES', shares: '30', money: units('3.3') })
  expect(told(activity({ type: 'PAYOUT_WIN', size: '40', payout: '40', totalCost: '15' })).money).toBe(units(40))
  expect(told(activity({ type: 'PAYOUT_LOSS', size: '40', totalCost: '15' })).money).toBeUndefined()
})

it('tells of sets by the money they took or brought, and of no outcome', () => {
  const minted = { type: 'MINT', size: '20', amount: '20', totalCost: '20' } as const
  expect(told(activity(minted))).toEqual({ word: 'Sets made', outcome: undefined, shares: '20', money: units('-20') })
  const burned = { type: 'BURN', size: '5', amount: '5', totalCost: '4.2' } as const
  expect(told(activity(burned))).toEqual({ word: 'Sets burned', outcome: undefined, shares: '5', money: units('5') })
})
