// Numbers as people type them. A field takes the signs that the pages write with in the reader's locale, so what is copied from a
// page is read back exactly. A text that has a second reading is refused with both: nothing is read as a thousand times what was
// meant, or as a thousandth of it.
//
// What was typed is kept without the signs that a field sets between thousands by itself. A sign that is in it was typed or
// pasted, and may mean something else.
import * as texts from '../texts/typed'
import { PLACES, text, units } from './decimal'
import { type Currency, grouped, money } from './format'
import { type NumberSigns, READER } from './locale'

/** What a number counts. A price is in hundredths of what a share pays. */
export type Unit = Currency | 'price' | 'percent' | 'shares'

/** What may stand before or behind a number. */
const MARKS: Record<Unit, readonly string[]> = {
  USD: ['$', 'USD'],
  NGN: ['₦', 'NGN'],
  price: ['¢', '₦'],
  percent: ['%'],
  shares: [texts.share, texts.shares],
}
const DIGITS_MAX = 12

/** Spaces, apostrophes and minus signs in one form each: keyboards have others than the pages write. */
const tidy = (typed: string) => typed.replace(/[\u00a0\u2009\u202f]/g, ' ').replace(/’/g, "'").replace(/-/g, '−')

/** The value of a text, or both numbers that it can mean; null if it is none. */
type Reading = { value: bigint } | { thousands: string; decimals: string } | null

/** Reads a number in the signs of a locale. `unit` is the one that may stand beside it. */
export function read(typed: string, unit?: Unit, signs = READER): Reading {
  const found = /^([+−]?)([^\d.,]*)(.*\d[.,]?)(\D*)$/.exec(tidy(typed).trim())
  if (!found) return null
  const [, sign, before = '', number = '', behind = ''] = found
  const mark = before.trim() + behind.trim()
  if (mark && !(unit && MARKS[unit].includes(mark))) return null
  const [whole = '', fraction = '', ...more] = number.split(signs.decimal)
  const doubt = /^([1-9]\d{0,2})([.,])(\d{3})$/.exec(number)
  if (doubt && isDoubtful(doubt[2]!, mark, unit, signs))
    return { thousands: doubt[1]! + doubt[3], decimals: `${doubt[1]}${signs.decimal}${doubt[3]}` }
  const [digits, decimals] = [digitsOf(whole, signs), fraction.replace(/0+$/, '')]
  if (digits === null || more.length > 0 || !/^\d*$/.test(decimals) || decimals.length > PLACES) return null
  const value = units(`${digits}.${decimals}`)
  return { value: sign === '−' ? -value : value }
}

/** Whether the only sign of a number, before its last three digits, may stand between thousands and before decimals as well. */
function isDoubtful(sign: string, mark: string, unit: Unit | undefined, signs: NumberSigns): boolean {
  if (sign === signs.group) return !mark
  // The pages write money with a sign of currency and three decimals only below a cent.
  if (sign === signs.decimal) return !!mark && (unit === 'USD' || unit === 'NGN')
  return true
}

/** The digits of a whole part whose groups are complete, in threes or as the locale writes them. */
function digitsOf(whole: string, signs: NumberSigns): string | null {
  const group = tidy(signs.group)
  const digits = group ? whole.replaceAll(group, '') : whole
  if (!/^\d*$/.test(digits) || digits.length > DIGITS_MAX) return null
  if (digits === whole || whole === tidy(signs.whole(BigInt(digits)))) return digits
  const [first = '', ...rest] = whole.split(group)
  return /^[1-9]\d{0,2}$/.test(first) && rest.every((three) => three.length === 3) ? digits : null
}

/** The amount that was typed; null if it is none, has more places, or has two readings. */
export function parseInput(typed: string, places = PLACES, unit?: Unit, signs = READER): bigint | null {
  const reading = read(typed, unit, signs)
  if (!reading || !('value' in reading) || reading.value < 0n) return null
  return reading.value % 10n ** BigInt(PLACES - places) === 0n ? reading.value : null
}

/** Why a number was refused that has two readings. */
export function doubtAbout(typed: string, unit?: Unit, signs = READER): string | undefined {
  const reading = read(typed, unit, signs)
  return reading && 'thousands' in reading ? texts.twoReadings(typed.trim(), reading.thousands, reading.decimals) : undefined
}

/** For below a field: how a text was understood that has more than digits and a decimal sign, or why it was not. */
export function understood(typed: string, unit?: Unit): string | undefined {
  const value = parseInput(typed, PLACES, unit)
  if (value === null) return doubtAbout(typed, unit)
  return isPlain(typed.trim(), READER) ? undefined : texts.understoodAs(written(value, unit))
}

function written(value: bigint, unit: Unit | undefined): string {
  if (unit === 'USD' || unit === 'NGN') return money(value, unit, { exact: true })
  return grouped(value, 0, PLACES) + (unit === 'percent' ? '%' : '')
}

const isPlain = (typed: string, signs: NumberSigns) => typed.split(signs.decimal).every((part) => /^\d*$/.test(part))

/** A value as the reader would type it: every amount that a page writes into a field. */
export function typedText(value: bigint, signs = READER): string {
  return text(value).replace('.', signs.decimal)
}

/** What a field shows of what was typed: thousands are set apart in a plain number, anything else is as it was typed. */
export function shownText(typed: string, signs = READER): string {
  const [whole = '', ...fraction] = typed.split(signs.decimal)
  if (fraction.length > 1 || !isPlain(typed, signs) || !/^[1-9]/.test(whole)) return typed
  return [signs.whole(BigInt(whole)), ...fraction].join(signs.decimal)
}

const isGroup = (sign: string, signs: NumberSigns) => tidy(sign) === tidy(signs.group)
const hasGroup = (typed: string, signs: NumberSigns) => [...typed].some((sign) => isGroup(sign, signs))
const ungrouped = (shown: string, signs: NumberSigns) => [...shown].filter((sign) => !isGroup(sign, signs)).join('')

/**
 * What was typed, out of what a field shows after a change. Signs between thousands go if the field set them; they stay once a
 * person typed or pasted one. `before` was typed before; `added` came with the change, if the browser says so.
 */
export function typedAfter(shown: string, before: string, added?: string, signs = READER): string {
  const byHand = hasGroup(before, signs) || hasGroup(added ?? difference(shownText(before, signs), shown), signs)
  return byHand ? shown : ungrouped(shown, signs)
}

/** What a change at one place has put into a text. */
function difference(before: string, after: string): string {
  let [from, end] = [0, after.length]
  while (from < end && before[from] === after[from]) from += 1
  while (end > from && before[before.length - 1 - (after.length - end)] === after[end - 1]) end -= 1
  return after.slice(from, end)
}

/** Where the caret belongs in the new text: behind as many digits as before. */
export function caretIn(shown: string, now: string, caret: number, signs = READER): number {
  let left = ungrouped(now.slice(0, caret), signs).length
  let at = 0
  while (left > 0 && at < shown.length) {
    if (!isGroup(shown[at]!, signs)) left -= 1
    at += 1
  }
  return at
}

/** Takes over a change in a field for an amount: sets its thousands apart, keeps the caret, and returns what was typed. */
export function typedIn(event: Event & { currentTarget: HTMLInputElement }, before: string): string {
  const input = event.currentTarget
  const [now, caret] = [input.value, input.selectionStart ?? input.value.length]
  const typed = typedAfter(now, before, addedBy(event as Event & Partial<InputEvent>, now))
  const shown = shownText(typed)
  if (shown !== now) {
    input.value = shown
    const place = caretIn(shown, now, caret)
    input.setSelectionRange(place, place)
  }
  return typed
}

/** A keyboard that composes words names all of the word, and a browser may not say what was pasted. */
function addedBy({ inputType = '', data }: Partial<InputEvent>, now: string): string | undefined {
  if (inputType === 'insertCompositionText') return undefined
  return data ?? (inputType.startsWith('insertFrom') ? now : undefined)
}
