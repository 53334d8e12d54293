// The signs of numbers in the reader's locale. Digits are always 0 to 9, as in the fields, which take "." as the decimal sign
// in every locale: a person may copy digits from a text into a field.

import { LANGUAGE } from '../texts/language'

export interface NumberSigns {
  /** 1,234,567 */
  whole: (value: bigint) => string
  /** Between whole and fraction. */
  decimal: string
}

/** English as most readers have it, with signs that need no `Intl`: a number format takes long to make on a slow phone. */
const ENGLISH = /^en(-(AU|CA|GB|IE|KE|NG|NZ|US))?$/
const THOUSANDS = /\B(?=(\d{3})+$)/g

/** Node, which runs the tests, has no `navigator` before version 21. */
const readersLocale = () => globalThis.navigator?.language ?? LANGUAGE

export function signsOf(locale = readersLocale()): NumberSigns {
  if (ENGLISH.test(locale)) return { whole: (value) => String(value).replace(THOUSANDS, ','), decimal: '.' }
  const format = new Intl.NumberFormat(locale, { numberingSystem: 'latn' })
  const decimal = format.formatToParts(0.5).find((part) => part.type === 'decimal')?.value ?? '.'
  return { whole: (value) => format.format(value), decimal }
}
