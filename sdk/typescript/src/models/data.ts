/** Market data: books, tickers, quotes, trades, candles, prices over time. */

import type { Decimal } from '../decimal.js'
import { count, decimal, flag, list, object, optional, text, time, type Shape } from './shape.js'

/** All resting shares at one price. */
export interface Level {
  readonly price: Decimal
  readonly quantity: Decimal
  readonly total: Decimal
}

export const levelShape: Shape<Level> = { price: decimal, quantity: decimal, total: decimal }

/** The book of one outcome, the best levels first. */
export interface BookData {
  readonly marketId: string
  readonly outcomeId: string
  readonly timestamp: Date
  readonly bids: readonly Level[]
  readonly asks: readonly Level[]
  readonly lastTradedPrice?: Decimal
  readonly lastTradedSide?: string
}

export const bookShape: Shape<BookData> = {
  marketId: text,
  outcomeId: text,
  timestamp: time,
  bids: list(object(levelShape)),
  asks: list(object(levelShape)),
  lastTradedPrice: optional(decimal),
  lastTradedSide: optional(text),
}

/** A book that was read. */
export interface Book extends BookData {
  /** The sequence of the exchange's state that the book is of. */
  readonly asOf?: number
  /** The highest bid. */
  readonly bestBid?: Level
  /** The lowest ask. */
  readonly bestAsk?: Level
}

/** The state of an outcome now and over the last 24 hours. A number is 0 where there is nothing. */
export interface Ticker {
  readonly marketId: string
  readonly outcomeId: string
  readonly outcome: string
  readonly currency: string
  readonly lastPrice: Decimal
  readonly bestBid: Decimal
  readonly bestAsk: Decimal
  readonly midPrice: Decimal
  readonly spread: Decimal
  readonly volume24h: Decimal
  readonly high24h: Decimal
  readonly low24h: Decimal
  readonly priceChange24h: Decimal
  readonly tradeCount24h: number
  readonly timestamp: Date
}

export const tickerShape: Shape<Ticker> = {
  marketId: text,
  outcomeId: text,
  outcome: text,
  currency: text,
  lastPrice: decimal,
  bestBid: decimal,
  bestAsk: decimal,
  midPrice: decimal,
  spread: decimal,
  volume24h: decimal,
  high24h: decimal,
  low24h: decimal,
  priceChange24h: decimal,
  tradeCount24h: count,
  timestamp: time,
}

/** Why the exchange would refuse an order. */
export interface QuotedRefusal {
  readonly code: string
  readonly message: string
}

export const quotedRefusalShape: Shape<QuotedRefusal> = { code: text, message: text }

/** What would become of an order. */
export interface QuotedOrder {
  readonly status?: string
  readonly restingSize: Decimal
  readonly cancelledSize: Decimal
  readonly cancelledOrders: number
  readonly hold: Decimal
  readonly refusal?: QuotedRefusal
}

export const quotedOrderShape: Shape<QuotedOrder> = {
  status: optional(text),
  restingSize: decimal,
  cancelledSize: decimal,
  cancelledOrders: count,
  hold: decimal,
  refusal: optional(object(quotedRefusalShape)),
}

/** What an order would do now. Not binding. */
export interface Quote {
  readonly price: Decimal
  readonly currentMarketPrice: Decimal
  readonly quantity: Decimal
  readonly amount: Decimal
  readonly costOfShares: Decimal
  readonly fee: Decimal
  readonly priceImpactAbsolute: Decimal
  readonly profitPercentage: Decimal
  readonly currencyBaseMultiplier: number
  readonly completeFill: boolean
  readonly tradeGoesOverMaxLiability: boolean
  readonly order?: QuotedOrder
}

export const quoteShape: Shape<Quote> = {
  price: decimal,
  currentMarketPrice: decimal,
  quantity: decimal,
  amount: decimal,
  costOfShares: decimal,
  fee: decimal,
  priceImpactAbsolute: decimal,
  profitPercentage: decimal,
  currencyBaseMultiplier: count,
  completeFill: flag,
  tradeGoesOverMaxLiability: flag,
  order: optional(object(quotedOrderShape)),
}

/** A trade between two orders, or with a pool. `outcome` and `price` are the taker's. */
export interface Trade {
  readonly id: string
  readonly marketId: string
  readonly outcome: string
  readonly price: Decimal
  readonly size: Decimal
  readonly currency: string
  readonly engine: string
  readonly matchType: string
  readonly takerSide: string
  readonly takerPrice: Decimal
  readonly makerPrice: Decimal
  readonly takerFee: Decimal
  readonly takerOrderId: string
  readonly makerOrderId: string
  readonly takerOutcomeId: string
  readonly makerOutcomeId: string
  readonly takerUserId: string
  readonly makerUserId: string
  readonly createdAt: Date
}

export const tradeShape: Shape<Trade> = {
  id: text,
  marketId: text,
  outcome: text,
  price: decimal,
  size: decimal,
  currency: text,
  engine: text,
  matchType: text,
  takerSide: text,
  takerPrice: decimal,
  makerPrice: decimal,
  takerFee: decimal,
  takerOrderId: text,
  makerOrderId: text,
  takerOutcomeId: text,
  makerOutcomeId: text,
  takerUserId: text,
  makerUserId: text,
  createdAt: time,
}

/** Prices and volume of one interval. `volume` is in shares. */
export interface Candle {
  readonly start: Date
  readonly open: Decimal
  readonly high: Decimal
  readonly low: Decimal
  readonly close: Decimal
  readonly volume: Decimal
  readonly count: number
}

export const candleShape: Shape<Candle> = {
  start: time,
  open: decimal,
  high: decimal,
  low: decimal,
  close: decimal,
  volume: decimal,
  count,
}

/** The price of a market's first outcome at one moment, as the exchange spells it. */
export interface SeriesPoint {
  readonly e: number
  readonly p: Decimal
}

export const seriesPointShape: Shape<SeriesPoint> = { e: count, p: decimal }

/** The price of a market's first outcome at one moment. */
export interface PricePoint {
  /** Milliseconds since 1970. */
  readonly milliseconds: number
  readonly price: Decimal
}
