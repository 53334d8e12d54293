// Typed amounts, one field for each currency; and amounts so large that they mean "no cap".
import { carrier, type Decimal, parseInput, text, units } from '../../shared/numbers/decimal'
import { type Currency, money } from '../../shared/numbers/format'
import { groupTyped } from '../../shared/numbers/typed'
import type { Amounts } from '../api/types'
import * as texts from '../texts/words'

export const CURRENCIES: readonly Currency[] = ['USD', 'NGN']
export type AmountTexts = Record<Currency, string>

/** More than all money of a currency can ever be: no cap is set. */
const NO_CAP = 4_611_686_018_427n * 1_000_000n

export function isCap(value: Decimal): boolean {
  return units(value) < NO_CAP
}

export function capWords(value: Decimal | null | undefined, currency: Currency): string {
  return value == null || !isCap(value) ? texts.noCap : money(value, currency)
}

/** An amount as its field shows it, with thousands set apart. */
export const groupedAmount = (value: string): string => groupTyped(value)

/**
 * The amount after a key, without the commas between thousands. A comma elsewhere stays in it, and is refused: 12,5 is not 125.
 * `before` is the amount before the key.
 */
export function typedAmount(typed: string, before: string): string {
  const shown = groupTyped(typed, groupedAmount(before))
  const plain = shown.replace(/,/g, '')
  return groupedAmount(plain) === shown ? plain : shown
}

/** A number for a request, or what is wrong with what was typed. */
export function readAmount(typed: string, what: string, places = 6): { value: number } | { problem: string } {
  const parsed = parseInput(typed, places)
  if (parsed === null) return { problem: texts.aPlainNumber(what, places) }
  try {
    return { value: carrier(parsed) }
  } catch {
    return { problem: texts.tooManyDigits(what) }
  }
}

/** A number for a request. Throws what is wrong with what was typed. */
export function amountOf(typed: string, what: string, places?: number): number {
  const read = readAmount(typed, what, places)
  if ('problem' in read) throw new Error(read.problem)
  return read.value
}

/** A fee for a request, or nothing if the field is empty. Throws what is wrong with what was typed. */
export function feeOf(typed: string): number | undefined {
  return typed.trim() ? amountOf(typed, texts.feeInPercent, 2) : undefined
}

/** What was typed, without the empty fields. Throws what is wrong. */
export function readAmounts(typed: AmountTexts, what: string): Amounts | undefined {
  const amounts: Partial<Record<Currency, number>> = {}
  for (const currency of CURRENCIES) {
    if (!typed[currency].trim()) continue
    amounts[currency] = amountOf(typed[currency], texts.amountIn(what, currency))
  }
  return Object.keys(amounts).length > 0 ? (amounts as Amounts) : undefined
}

export function textsOf(amounts: Amounts | undefined): AmountTexts {
  const written = (value: Decimal | null | undefined) => (value == null ? '' : text(units(value)))
  return { USD: written(amounts?.USD), NGN: written(amounts?.NGN) }
}

/** Only the fields that differ from what they began with. */
export function changed(now: AmountTexts, before: AmountTexts): AmountTexts {
  return { USD: now.USD === before.USD ? '' : now.USD, NGN: now.NGN === before.NGN ? '' : now.NGN }
}
