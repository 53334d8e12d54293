// How numbers look. Everything goes in as exact units or as what the API gave, and comes out as text.
import * as texts from '../texts/common'
import { type Decimal, ONE, PLACES, round, units } from './decimal'
import { READER } from './locale'

export type Currency = 'USD' | 'NGN'

const SYMBOL: Record<Currency, string> = { USD: '$', NGN: '₦' }
const MINUS = '−'

/** What a winning share pays, in millionths. */
export function baseUnit(currency: Currency): bigint {
  return currency === 'NGN' ? 100n * ONE : ONE
}

function exact(value: Decimal | bigint): bigint {
  return typeof value === 'bigint' ? value : units(value)
}

/** A magnitude with so many places at least and at most, by default in the reader's locale. */
export function grouped(magnitude: bigint, least: number, most: number, signs = READER): string {
  const rounded = round(magnitude, most)
  const whole = signs.whole(rounded / ONE)
  let fraction = (rounded % ONE).toString().padStart(6, '0').slice(0, most)
  while (fraction.length > least && fraction.endsWith('0')) fraction = fraction.slice(0, -1)
  return fraction ? `${whole}${signs.decimal}${fraction}` : whole
}

function signed(value: bigint, sign: boolean, body: (magnitude: bigint) => string): string {
  const written = body(value < 0n ? -value : value)
  // What is rounded to nothing has no sign either.
  if (!/[1-9]/.test(written)) return written
  return (value < 0n ? MINUS : sign ? '+' : '') + written
}

/**
 * $1,234.50. Less than a cent keeps up to four places, so that a small fee does not look like none. `exact` keeps every place.
 */
export function money(value: Decimal | bigint, currency: Currency, options: { sign?: boolean; exact?: boolean } = {}): string {
  return signed(exact(value), options.sign ?? false, (magnitude) => {
    const tiny = magnitude > 0n && magnitude < ONE / 100n
    return SYMBOL[currency] + grouped(magnitude, 2, options.exact ? PLACES : tiny ? 4 : 2)
  })
}

/** $1.2K, $3.4M: for volumes, where the size matters and the cents do not. */
export function compactMoney(value: Decimal | bigint, currency: Currency): string {
  return signed(exact(value), false, (magnitude) => SYMBOL[currency] + compact(magnitude))
}

function compact(magnitude: bigint): string {
  const steps: [bigint, string][] = [
    [10n ** 9n, texts.billion],
    [10n ** 6n, texts.million],
    [10n ** 3n, texts.thousand],
  ]
  for (const [step, letter] of steps) {
    if (magnitude >= step * ONE) return grouped(magnitude / step, 0, magnitude >= step * ONE * 100n ? 0 : 1) + letter
  }
  return grouped(magnitude, 0, 0)
}

/** A price as what a share costs: 34¢, 46.7¢, ₦34, ₦46.70. A difference of prices may be negative: −2¢. */
export function price(value: Decimal | bigint, currency: Currency): string {
  return signed(exact(value) * 100n, false, (hundredths) => {
    if (currency === 'USD') return `${grouped(hundredths, 0, 1)}¢`
    const whole = round(hundredths, 2) % ONE === 0n
    return `₦${grouped(hundredths, whole ? 0 : 2, 2)}`
  })
}

/** The price of a share now; a dash without a seller. */
export function askPrice(value: Decimal | bigint, currency: Currency): string {
  return exact(value) === 0n ? '–' : price(value, currency)
}

/** A price as what the crowd believes: 34%. Never 0% or 100% while it could go either way. */
export function chance(value: Decimal | bigint, settled = false): string {
  const exactly = exact(value)
  if (!settled && exactly > 0n && exactly < ONE / 100n) return '<1%'
  if (!settled && exactly < ONE && exactly > (ONE * 99n) / 100n) return '>99%'
  return `${grouped(exactly * 100n, 0, 0)}%`
}

/** What is believed of both outcomes: the two always sum to 100%. */
export function chances(yes: Decimal | bigint, settled = false): Record<'YES' | 'NO', string> {
  const shown = chance(yes, settled)
  const other: Record<string, string> = { '<1%': '>99%', '>99%': '<1%' }
  return { YES: shown, NO: other[shown] ?? `${100 - parseInt(shown, 10)}%` }
}

export function shares(value: Decimal | bigint, places = 2): string {
  return signed(exact(value), false, (magnitude) => grouped(magnitude, 0, magnitude < ONE ? 4 : places))
}

/** A percentage that the API already gives in percent. */
export function percent(value: Decimal | bigint, options: { sign?: boolean; places?: number } = {}): string {
  return signed(exact(value), options.sign ?? false, (magnitude) => `${grouped(magnitude, 0, options.places ?? 1)}%`)
}

/** A difference of prices: +4.0 points. */
export function points(value: bigint): string {
  return signed(value * 100n, true, (magnitude) => grouped(magnitude, 0, 1))
}

export function count(value: number): string {
  return grouped(units(value), 0, 0)
}
