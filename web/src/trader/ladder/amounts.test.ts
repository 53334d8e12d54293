import { expect, test } from 'vitest'
import { text } from '../../shared/numbers/decimal'
import { amountOf, keptAmounts } from './amounts.svelte'

test('an amount is a number of shares that an order can have', () => {
  expect([amountOf('25'), amountOf('0.5'), amountOf('1,000 shares')]).toEqual([25_000_000n, 500_000n, 1_000_000_000n])
  for (const wrong of ['', '0', '-1', 'x', '0.00001', '1,000']) expect(amountOf(wrong)).toBeNull()
})

test('what was kept is used only whole', () => {
  const kept = (words: string | null) => keptAmounts(words).map(text)
  expect(kept('1 2.5 3 1234')).toEqual(['1', '2.5', '3', '1234'])
  for (const broken of [null, '', '1 2 3', '1 2 3 x', '1 2 3 0', '1 2 3 4,5']) expect(kept(broken)).toEqual(['10', '50', '100', '500'])
})
