// The playground's arithmetic.
import { expect, test } from 'vitest'
import { ONE } from '../../shared/numbers/decimal'
import { outcomeOf } from './playground'

const play = { price: 400_000n, stake: 100n * ONE, later: 600_000n, fee: 0n, unit: ONE }

test('a hundred at forty cents are 250 shares', () => {
  expect(outcomeOf(play)).toEqual({
    shares: 250n * ONE,
    fee: 0n,
    ifRight: 150n * ONE,
    ifWrong: -100n * ONE,
    ifSold: 50n * ONE,
  })
})

test('a stake includes the fee, and naira shares pay a hundred', () => {
  const { shares, fee, ifWrong } = outcomeOf({ ...play, fee: 2n * ONE, stake: 102n * ONE })
  expect([shares, fee, ifWrong]).toEqual([250n * ONE, 2n * ONE, -102n * ONE])
  expect(outcomeOf({ ...play, unit: 100n * ONE, stake: 4000n * ONE }).ifRight).toBe(6000n * ONE)
})

test('nothing buys nothing', () => {
  expect(outcomeOf({ ...play, stake: 0n })).toEqual({ shares: 0n, fee: 0n, ifRight: 0n, ifWrong: 0n, ifSold: 0n })
})
