// What the list of one's own trades says of a trade.
import { expect, it } from 'vitest'
import type { Trade } from '../../shared/api/types'
import { kindOf, roleOf } from './trade'

const trade = (some: Partial<Trade>) => ({ takerUserId: 'ada', takerSide: 'BUY', outcome: 'YES', ...some }) as Trade

it('tells who took and who rested on a book', () => {
  const minted = trade({ engine: 'CLOB', matchType: 'MINT' })
  expect(roleOf(minted, 'ada')).toBe('Took, buying YES')
  expect(roleOf(minted, 'bola')).toBe('Rested in the book')
  expect(kindOf(minted)).toBe('new pair')
})

it('tells a trade with a pool', () => {
  const sold = trade({ engine: 'AMM', matchType: 'POOL', takerSide: 'SELL', outcome: 'NO' })
  expect(roleOf(sold, 'ada')).toBe('With the pool, selling NO')
  expect(kindOf(sold)).toBe('pool')
})
