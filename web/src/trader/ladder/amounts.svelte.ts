// The reader's own sizes for quick orders, in shares. Kept in this browser.
import { ONE, text, units } from '../../shared/numbers/decimal'
import { parseInput } from '../../shared/numbers/typed'

const KEY = 'bellwether.amounts'
const FIRST = [10n, 50n, 100n, 500n].map((many) => many * ONE)
const PLACES = 4

/** An amount that an order can have; null for any other text. */
export function amountOf(typed: string): bigint | null {
  return parseInput(typed, PLACES, 'shares') || null
}

/** What was kept, if it is as many amounts as there are places for. It is kept in the digits of the API, for every locale. */
export function keptAmounts(kept: string | null): bigint[] {
  const words = (kept ?? '').split(' ')
  const whole = words.length === FIRST.length && words.every((word) => /^\d{1,12}(\.\d{1,4})?$/.test(word) && /[1-9]/.test(word))
  return whole ? words.map(units) : FIRST
}

let list = $state(keptAmounts(globalThis.localStorage?.getItem(KEY) ?? null))
let place = $state(1)

export const amounts = {
  get list() {
    return list
  },
  /** Which of them an order has. */
  get place() {
    return place
  },
  set place(next: number) {
    place = Math.min(list.length - 1, Math.max(0, next))
  },
  get size(): bigint {
    return list[place]!
  },
  /** Takes over an amount; false if it is none. */
  change(at: number, typed: string): boolean {
    const amount = amountOf(typed)
    if (amount === null) return false
    list = list.map((one, index) => (index === at ? amount : one))
    localStorage.setItem(KEY, list.map(text).join(' '))
    return true
  },
}
