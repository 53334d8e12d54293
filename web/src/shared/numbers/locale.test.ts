// Numbers follow the locale that they are shown in.
import { expect, it } from 'vitest'
import { units } from './decimal'
import { grouped } from './format'
import { signsOf } from './locale'

const shown = (value: string, locale: string) =>
  grouped(units(value), 2, 2, signsOf(locale)).replace(/[\u00a0\u202f]/g, ' ')

it('groups thousands and sets the decimal sign as the locale does', () => {
  expect(shown('1234567.5', 'en')).toBe('1,234,567.50')
  expect(shown('1234567.5', 'de')).toBe('1.234.567,50')
  expect(shown('1234567.5', 'fr')).toBe('1 234 567,50')
  expect(shown('1234567.5', 'en-IN')).toBe('12,34,567.50')
})

it('writes English as Intl does', () => {
  for (const locale of ['en', 'en-AU', 'en-CA', 'en-GB', 'en-IE', 'en-KE', 'en-NG', 'en-NZ', 'en-US']) {
    const [signs, format] = [signsOf(locale), new Intl.NumberFormat(locale)]
    for (const value of [0n, 7n, 999n, 1000n, 12_345n, 999_999n, 1_000_000n, 4_611_686_018_427n])
      expect(signs.whole(value)).toBe(format.format(value))
    expect(`1${signs.group}234${signs.decimal}5`).toBe(format.format(1234.5))
  }
})

it('keeps the digits 0 to 9, and every one of them', () => {
  expect(shown('1234.5', 'ar-EG')).toMatch(/^1.234.50$/)
  expect(shown('4611686018427.38', 'de')).toBe('4.611.686.018.427,38')
})
