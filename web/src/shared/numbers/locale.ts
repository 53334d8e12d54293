// The signs of numbers in the reader's locale: the pages write with them, and fields read them (typed.ts). Digits are always
// 0 to 9.

import { LANGUAGE } from '../texts/language'

export interface NumberSigns {
  /** 1,234,567 */
  whole: (value: bigint) => string
  /** Between whole and fraction. */
  decimal: string
  /** Between thousands. */
  group: string
}

/** English as most readers have it, with signs that need no `Intl`: a number format takes long to make on a slow phone. */
const ENGLISH = /^en(-(AU|CA|GB|IE|KE|NG|NZ|US))?$/
const THOUSANDS = /\B(?=(\d{3})+$)/g

/** Node, which runs the tests, has no `navigator` before version 21. */
const readersLocale = () => globalThis.navigator?.language ?? LANGUAGE

export function signsOf(locale = readersLocale()): NumberSigns {
  if (ENGLISH.test(locale)) return { whole: (value) => String(value).replace(THOUSANDS, ','), decimal: '.', group: ',' }
  const format = new Intl.NumberFormat(locale, { numberingSystem: 'latn' })
  // Spanish sets thousands apart from 10,000 on, so the number must be larger.
  const parts = format.formatToParts(1_234_567.5)
  const sign = (type: 'decimal' | 'group') => parts.find((part) => part.type === type)?.value
  return { whole: (value) => format.format(value), decimal: sign('decimal') ?? '.', group: sign('group') ?? '' }
}

/** The signs of the person who reads the page. */
export const READER = signsOf()
