// Complete sets: what was typed, what it moves, and what is wrong with it. Pure: no page, no network, no float.
import { divide, floorTo, multiply, ONE, units } from '../../shared/numbers/decimal'
import { baseUnit, type Currency, money, shares } from '../../shared/numbers/format'
import { doubtAbout, parseInput, typedText } from '../../shared/numbers/typed'
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

type Known = bigint | null

/** The most sets that the cash can mint, or that the free shares of both sides can burn; null while that is not known. */
export function setsMost(way: Way, cash: Known, free: { yes: Known; no: Known }, currency: Currency): Known {
  if (way === 'mint') return cash === null ? null : floorTo(divide(cash, baseUnit(currency)), SET_STEP)
  if (free.yes === null || free.no === null) return null
  return free.yes < free.no ? free.yes : free.no
}

/** Undefined for what can be sent. The exchange has the last word all the same. */
export function problemOf(typed: string, way: Way, most: bigint | null, currency: Currency): string | undefined {
  if (typed.trim() === '') return texts.howManySets
  const sets = parseInput(typed, 4, 'shares')
  if (sets === null || sets === 0n) return doubtAbout(typed, 'shares') ?? texts.aNumberSuchAs(typedText(units('12.5')))
  if (sets > SETS_MAX || moneyOf(sets, currency) > MONEY_MAX) return texts.atMostAtOnce(money(MONEY_MAX, currency))
  if (most === null || sets <= most) return undefined
  return way === 'mint' ? texts.yourCashMakesAtMost(shares(most, 4)) : texts.youHaveOfBothSides(shares(most, 4))
}
