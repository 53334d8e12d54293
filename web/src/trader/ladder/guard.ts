// Why a one-click order is not sent. It has no preview, so it may not be large: the ticket is for those. Pure.
import type { Side } from '../../shared/api/types'
import { multiply, ONE } from '../../shared/numbers/decimal'
import { baseUnit, type Currency, money, shares } from '../../shared/numbers/format'
import * as texts from '../texts/ladder'

export interface QuickOrder {
  side: Side
  hundredths: number
  size: bigint
  currency: Currency
  /** What can be spent and sold; null while it is not known. */
  cash: bigint | null
  held: bigint | null
}

export function hindranceOf({ side, hundredths, size, currency, cash, held }: QuickOrder): string | undefined {
  if (side === 'SELL') {
    if (held === null) return texts.yourSharesAreNotKnown
    return size > held ? texts.youHaveToSell(shares(held)) : undefined
  }
  if (cash === null) return texts.yourCashIsNotKnown
  const price = (BigInt(hundredths) * ONE) / 100n
  const cost = multiply(multiply(size, price), baseUnit(currency))
  if (cost > cash) return texts.thisTakesAndYouHave(money(cost, currency), money(cash, currency))
  if (cost * 2n > cash) return texts.thisTakesMoreThanHalf(money(cost, currency))
  return undefined
}
