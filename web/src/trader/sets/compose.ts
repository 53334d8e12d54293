// Complete sets: what was typed, what it moves, and what is wrong with it. Pure: no page, no network, no float.
import { divide, floorTo, multiply, ONE, parseInput } from '../../shared/numbers/decimal'
import { baseUnit, type Currency, money, shares } from '../../shared/numbers/format'
import * as texts from '../texts/sets'

export type Way = 'mint' | 'burn'

/** The step of shares, and so of sets: a ten-thousandth. */
const SET_STEP = 100n
const SETS_MAX = 1_000_000_000n * ONE
/** The exchange takes an amount of money, and as much of it as of anything at once. */
const MONEY_MAX = 1_000_000_000n * ONE

/** What the sets cost, or bring: the exchange counts in money. */
export function moneyOf(sets: bigint, currency: Currency): bigint {
  return multiply(sets, baseUnit(currency))
}

/** The most sets that the cash can mint, or that the free shares of both sides can burn. */
export function setsMost(way: Way, cash: bigint, free: { yes: bigint; no: bigint }, currency: Currency): bigint {
  if (way === 'mint') return floorTo(divide(cash, baseUnit(currency)), SET_STEP)
  return free.yes < free.no ? free.yes : free.no
}

/** Undefined for what can be sent. The exchange has the last word all the same. */
export function problemOf(typed: string, way: Way, most: bigint | null, currency: Currency): string | undefined {
  if (typed.trim() === '') return texts.howManySets
  const sets = parseInput(typed, 4)
  if (sets === null || sets === 0n) return texts.aNumberSuchAs
  if (sets > SETS_MAX || moneyOf(sets, currency) > MONEY_MAX) return texts.atMostAtOnce(money(MONEY_MAX, currency))
  if (most === null || sets <= most) return undefined
  return way === 'mint' ? texts.yourCashMakesAtMost(shares(most, 4)) : texts.youHaveOfBothSides(shares(most, 4))
}
