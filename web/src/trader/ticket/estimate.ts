// What an order would do now, for the reader's eyes: the exchange's own quote of exactly that order, in exact units. The page
// computes no fill of its own.
import type { Quote, Side } from '../../shared/api/types'
import { type Decimal, divide, multiply, ONE, units } from '../../shared/numbers/decimal'
import { baseUnit, type Currency, money, price as shownPrice } from '../../shared/numbers/format'
import * as texts from '../texts/ticket'
import type { Form } from './compose'

export interface Estimate {
  /** Shares that trade at once. */
  filled: bigint
  /** Shares that wait in the book. */
  resting: bigint
  averagePrice: bigint
  fee: bigint
  /** Paid on a BUY, held money counted; received at once on a SELL. The fee is in it. */
  total: bigint
  hold: bigint
  /** What the order that is amended holds until now: it comes back first. 0 for a new order. */
  released: bigint
  /** If the outcome comes true and all of it fills. */
  payout: bigint
  profit: bigint
  /** In percent. */
  profitPercent: bigint
  /** How far the order moves the price: 0.05 is five points. */
  impact: bigint
  /** Why the exchange would refuse or reject it, so that it is not sent. */
  refusal: string | undefined
  warnings: string[]
}

/** An order that moves the price by more than this is confirmed first. */
export const IMPACT_CONFIRMED = (ONE * 5n) / 100n

export function ofQuote(quote: Quote, form: Form, currency: Currency): Estimate {
  const [filled, amount, averagePrice, fee] = [quote.quantity, quote.amount, quote.price, quote.fee].map(
    (value: Decimal) => units(value),
  ) as [bigint, bigint, bigint, bigint]
  const order = quote.order
  const [resting, hold] = [units(order?.restingSize ?? 0), units(order?.hold ?? 0)]
  const total = amount + hold
  const payout = multiply(filled + resting, baseUnit(currency))
  const profit = payout - total
  return {
    filled,
    resting,
    averagePrice,
    fee,
    total,
    hold,
    released: 0n,
    payout,
    profit,
    profitPercent: divide(profit * 100n, total),
    impact: units(quote.priceImpactAbsolute),
    refusal: refusalOf(quote, form, total, currency),
    warnings: warningsOf(quote, form, currency),
  }
}

function refusalOf(quote: Quote, form: Form, total: bigint, currency: Currency): string | undefined {
  const order = quote.order
  switch (order?.refusal?.code) {
    case undefined:
      break
    case 'INSUFFICIENT_BALANCE':
      return texts.moreThanYourCash(money(total, currency))
    case 'INSUFFICIENT_SHARES':
      return texts.moreThanYouHave
    case 'SLIPPAGE':
      return texts.beyondYourSlippage(shownPrice(quote.price, currency))
    case 'PRICE_LIMIT':
      return texts.beyondYourLimit(shownPrice(quote.price, currency))
    case 'OVER_MAX_LIABILITY':
      return texts.moreThanThePoolTakes
    default:
      return order?.refusal?.message
  }
  if (order?.status !== 'rejected') return undefined
  if (form.postOnly) return texts.thisPriceWouldTrade
  if (form.timeInForce === 'FOK') return texts.itCannotFillCompletelyNow
  return texts.itWouldMeetAnOrder
}

function warningsOf(quote: Quote, form: Form, currency: Currency): string[] {
  const order = quote.order
  const warnings: string[] = []
  if (order?.status === 'cancelled') {
    const within = form.type === 'MARKET' && form.slippage ? texts.withinSlippage(form.slippage) : texts.atPresent
    if (units(quote.quantity) === 0n) warnings.push(texts.nobodyIsOnTheOther(within))
    else if (form.unit === 'money' && form.side === 'BUY')
      warnings.push(texts.onlyCanBeSpentNobody(money(quote.amount, currency), within))
    else warnings.push(texts.thereIsNotMore(within))
  }
  if (order && order.cancelledOrders > 0)
    warnings.push(
      texts.itCancelsOrdersOfYours(order.cancelledOrders),
    )
  return warnings
}

/**
 * Why an order is confirmed before it is sent; nothing if it need not be. `outlay`: what a purchase takes of the cash at most by its
 * own terms, which counts also where the quote is late, has failed, or says that less is for sale now.
 */
export function confirmation(
  estimate: Estimate | undefined,
  outlay: bigint | null,
  side: Side,
  cash: bigint | null,
  currency: Currency,
): string | undefined {
  if (side === 'BUY' && cash !== null) {
    const spent = estimate && estimate.total - estimate.released
    if (spent !== undefined && spent * 2n > cash) return texts.youSpendMoreThanHalf(money(spent, currency), money(cash, currency))
    if (outlay !== null && outlay * 2n > cash)
      return texts.youMaySpendMoreThanHalf(money(outlay, currency), money(cash, currency))
  }
  if (estimate && estimate.filled > 0n && estimate.impact > IMPACT_CONFIRMED)
    return texts.yourOrderMovesThePrice(shownPrice(estimate.impact, currency), shownPrice(estimate.averagePrice, currency))
  return undefined
}
