// The reader's own sizes for quick orders, in shares. Kept in this browser.
import { parseInput } from '../../shared/numbers/decimal'

const KEY = 'bellwether.amounts'
const FIRST = ['10', '50', '100', '500']
const PLACES = 4

/** An amount that an order can have; null for any other text. */
export function amountOf(typed: string): bigint | null {
  const size = parseInput(typed, PLACES)
  return size && size > 0n ? size : null
}

/** What was kept, if it is as many amounts as there are places for. */
export function keptAmounts(kept: string | null): string[] {
  const words = (kept ?? '').split(' ')
  return words.length === FIRST.length && words.every((word) => amountOf(word) !== null) ? words : FIRST
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
    return amountOf(list[place]!)!
  },
  /** Takes over an amount; false if it is none. */
  change(at: number, typed: string): boolean {
    if (amountOf(typed) === null) return false
    list = list.map((one, index) => (index === at ? typed.trim().replaceAll(',', '') : one))
    localStorage.setItem(KEY, list.join(' '))
    return true
  },
}
