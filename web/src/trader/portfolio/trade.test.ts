// What the list of one's own trades says of a trade.
import { expect, it } from 'vitest'
import type { Trade } from '../../shared/api/types'
import { kindOf, ownSide, roleOf } from './trade'

const trade = (some: Partial<Trade>) =>
  ({
    takerUserId: 'ada',
    takerSide: 'BUY',
    outcome: 'YES',
    takerOutcomeId: 'yes',
    makerOutcomeId: 'yes',
    engine: 'CLOB',
    matchType: 'DIRECT',
    ...some,
  }) as Trade

it('tells who took and who rested on a book', () => {
  const minted = trade({ matchType: 'MINT', makerOutcomeId: 'no' })
  expect(roleOf(minted, 'ada')).toBe('Took from the book')
  expect(roleOf(minted, 'bola')).toBe('Rested in the book')
  expect(kindOf(minted)).toBe('new pair')
})

it('tells what each of the two did', () => {
  expect(ownSide(trade({}), 'ada')).toEqual({ side: 'BUY', outcome: 'YES' })
  expect(ownSide(trade({}), 'bola')).toEqual({ side: 'SELL', outcome: 'YES' })
  expect(ownSide(trade({ matchType: 'MINT', makerOutcomeId: 'no' }), 'bola')).toEqual({ side: 'BUY', outcome: 'NO' })
  const merged = trade({ matchType: 'MERGE', takerSide: 'SELL', makerOutcomeId: 'no' })
  expect(ownSide(merged, 'bola')).toEqual({ side: 'SELL', outcome: 'NO' })
})

it('tells a trade with a pool', () => {
  const sold = trade({ engine: 'AMM', matchType: 'POOL', takerSide: 'SELL', outcome: 'NO' })
  expect(roleOf(sold, 'ada')).toBe('With the pool')
  expect(ownSide(sold, 'ada')).toEqual({ side: 'SELL', outcome: 'NO' })
  expect(kindOf(sold)).toBe('')
})
