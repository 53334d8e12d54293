// Typed amounts, one field for each currency; and amounts so large that they mean "no cap".
import { carrier, type Decimal, units } from '../../shared/numbers/decimal'
import { type Currency, money } from '../../shared/numbers/format'
import { READER } from '../../shared/numbers/locale'
import { doubtAbout, parseInput, typedText, type Unit } from '../../shared/numbers/typed'
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

/** A number for a request, or what is wrong with what was typed. */
export function readAmount(typed: string, what: string, places = 6, unit?: Unit): { value: number } | { problem: string } {
  const parsed = parseInput(typed, places, unit)
  if (parsed === null) return { problem: problemOf(typed, what, places, unit) }
  try {
    return { value: carrier(parsed) }
  } catch {
    return { problem: texts.tooManyDigits(what) }
  }
}

/** Why a text is no amount of that many places. */
function problemOf(typed: string, what: string, places: number, unit?: Unit): string {
  const doubt = doubtAbout(typed, unit)
  return doubt ? texts.about(what, doubt) : texts.aPlainNumber(what, places)
}

/** A number for a request. Throws what is wrong with what was typed. */
export function amountOf(typed: string, what: string, places?: number, unit?: Unit): number {
  const read = readAmount(typed, what, places, unit)
  if ('problem' in read) throw new Error(read.problem)
  return read.value
}

/** A fee for a request, or nothing if the field is empty. Throws what is wrong with what was typed. */
export function feeOf(typed: string): number | undefined {
  return typed.trim() ? amountOf(typed, texts.feeInPercent, 2, 'percent') : undefined
}

/** A comma is between two numbers of a list only where it is in none of them. */
const COMMA_IN_NUMBERS = READER.decimal === ','

/** The numbers of a list for a request. Throws what is wrong with what was typed. */
export function amountsOf(typed: string, what: string): number[] {
  const parts = typed.split(COMMA_IN_NUMBERS ? /;|\s|,(?=\s|$)/ : /[;,\s]/)
  return parts.filter(Boolean).map((part) => amountOf(part, what))
}

/** A list of numbers as the reader would type it. */
export function listText(values: readonly Decimal[]): string {
  return values.map((value) => typedText(units(value))).join(COMMA_IN_NUMBERS ? '; ' : ', ')
}

/** What was typed, without the empty fields. Throws what is wrong. */
export function readAmounts(typed: AmountTexts, what: string): Amounts | undefined {
  const amounts: Partial<Record<Currency, number>> = {}
  for (const currency of CURRENCIES) {
    if (!typed[currency].trim()) continue
    amounts[currency] = amountOf(typed[currency], texts.amountIn(what, currency), undefined, currency)
  }
  return Object.keys(amounts).length > 0 ? (amounts as Amounts) : undefined
}

export function textsOf(amounts: Amounts | undefined): AmountTexts {
  const written = (value: Decimal | null | undefined) => (value == null ? '' : typedText(units(value)))
  return { USD: written(amounts?.USD), NGN: written(amounts?.NGN) }
}

/** Only the fields that differ from what they began with. */
export function changed(now: AmountTexts, before: AmountTexts): AmountTexts {
  return { USD: now.USD === before.USD ? '' : now.USD, NGN: now.NGN === before.NGN ? '' : now.NGN }
}
