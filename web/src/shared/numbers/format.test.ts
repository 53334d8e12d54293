// What numbers look like on the pages.
import { expect, it } from 'vitest'
import { askPrice, chance, chances, compactMoney, money, percent, points, price, shares } from './format'

it('money has its sign before the symbol and two places, more below a cent', () => {
  expect(money(1234.5, 'USD')).toBe('$1,234.50')
  expect(money(-0.005, 'USD')).toBe('−$0.005')
  expect(money(3, 'NGN', { sign: true })).toBe('+₦3.00')
  expect(money('4611686018427.387903', 'USD')).toBe('$4,611,686,018,427.39')
  expect(money(0.999999, 'USD')).toBe('$1.00')
})

it('volumes are short', () => {
  expect(compactMoney(999, 'USD')).toBe('$999')
  expect(compactMoney(1234, 'USD')).toBe('$1.2K')
  expect(compactMoney(5_000_000, 'NGN')).toBe('₦5M')
  expect(compactMoney(250_400, 'USD')).toBe('$250K')
})

it('a price is what a share costs, a chance what is believed', () => {
  expect(price(0.34, 'USD')).toBe('34¢')
  expect(price(0.466671, 'USD')).toBe('46.7¢')
  expect(price(0.34, 'NGN')).toBe('₦34')
  expect(price(0.467, 'NGN')).toBe('₦46.70')
  expect(price(-0.005, 'NGN')).toBe('−₦0.50')
  expect(askPrice(0, 'USD')).toBe('–')
  expect(askPrice(0.45, 'NGN')).toBe('₦45')
  expect(chance(0.345)).toBe('35%')
  expect(chance(0.001)).toBe('<1%')
  expect(chance(0.9999)).toBe('>99%')
  expect(chance(1, true)).toBe('100%')
})

it('the chances of a market sum to 100', () => {
  for (let thousandths = 10; thousandths <= 990; thousandths += 5) {
    const { YES, NO } = chances(BigInt(thousandths) * 1000n)
    expect(parseInt(YES, 10) + parseInt(NO, 10)).toBe(100)
  }
  expect(chances(0.435)).toEqual({ YES: '44%', NO: '56%' })
  expect(chances(0.004)).toEqual({ YES: '<1%', NO: '>99%' })
  expect(chances(1, true)).toEqual({ YES: '100%', NO: '0%' })
})

it('shares and percentages keep what matters', () => {
  expect(shares(27.7777)).toBe('27.78')
  expect(shares(0.0001)).toBe('0.0001')
  expect(percent(-5.56, { sign: true })).toBe('−5.6%')
  expect(points(40_000n)).toBe('+4')
  expect(points(-300n)).toBe('0')
})
