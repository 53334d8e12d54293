// What an order is expected to do, for the reader's eyes: market orders by the exchange's own quote, limit orders by their own
// numbers and the book that is on the page. Exact, and still only an expectation.
import type { BookLevel, Quote, Side } from '../../shared/api/types'
import { type Decimal, divide, multiply, ONE, units } from '../../shared/numbers/decimal'
import { baseUnit, type Currency } from '../../shared/numbers/format'

export interface Estimate {
  shares: bigint
  averagePrice: bigint
  fee: bigint
  /** Paid on a BUY, received on a SELL, the fee counted. */
  total: bigint
  /** If the outcome comes true. */
  payout: bigint
  profit: bigint
  /** In percent. */
  profitPercent: bigint
  /** How far the average is from the price now, in percent. */
  slippagePercent: bigint
  warnings: string[]
}

const SLIPPAGE_WARNING_PERCENT = 5n * ONE

function gains(shares: bigint, total: bigint, currency: Currency) {
  const payout = multiply(shares, baseUnit(currency))
  const profit = payout - total
  return { payout, profit, profitPercent: divide(profit * 100n, total) }
}

export function ofQuote(quote: Quote, side: Side, currency: Currency, slippageLimit: bigint | null): Estimate {
  const [shares, total, price, now] = [quote.quantity, quote.amount, quote.price, quote.currentMarketPrice].map(
    (value: Decimal) => units(value),
  ) as [bigint, bigint, bigint, bigint]
  const distance = side === 'BUY' ? price - now : now - price
  const slippagePercent = distance > 0n ? divide(distance * 100n, now) : 0n
  const warnings: string[] = []
  if (shares === 0n) warnings.push('Nobody is on the other side now. A limit order would wait for somebody.')
  else if (quote.tradeGoesOverMaxLiability) warnings.push('This is more than the pool may take. Trade less.')
  else if (!quote.completeFill)
    warnings.push('There is not enough on the other side: only a part fills, the rest is cancelled.')
  if (slippageLimit !== null && slippagePercent > slippageLimit) {
    warnings.push('The price moves beyond your slippage limit. Trade less, or raise it under Advanced.')
  } else if (slippagePercent >= SLIPPAGE_WARNING_PERCENT) {
    warnings.push('Your order is large for this market and moves the price against you.')
  }
  return {
    shares,
    averagePrice: price,
    fee: units(quote.fee),
    total,
    slippagePercent,
    warnings,
    ...gains(shares, total, currency),
  }
}

/** What is there at a price or better, on the other side of the book. */
export function takesNow(side: Side, price: bigint, book: { bids: BookLevel[]; asks: BookLevel[] }): bigint {
  const levels = side === 'BUY' ? book.asks : book.bids
  let total = 0n
  for (const level of levels) {
    const at = units(level.price)
    if (side === 'BUY' ? at > price : at < price) break
    total += units(level.quantity)
  }
  return total
}

export function ofLimit(
  side: Side,
  price: bigint,
  shares: bigint,
  currency: Currency,
  taken: bigint,
  feePercent: Decimal,
): Estimate {
  const value = multiply(multiply(price, baseUnit(currency)), shares)
  const part = taken < shares ? taken : shares
  // At most: what it takes may be cheaper, and what rests pays none.
  const fee = multiply(multiply(multiply(price, baseUnit(currency)), part), units(feePercent)) / 100n
  const total = side === 'BUY' ? value + fee : value - fee
  return {
    shares,
    averagePrice: price,
    fee,
    total,
    slippagePercent: 0n,
    warnings: [],
    ...gains(shares, total, currency),
  }
}
