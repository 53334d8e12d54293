/** Events, markets and series as data. `Event` and `Market` of the package have these fields, and methods. */

import type { Decimal } from '../decimal.js'
import { count, decimal, flag, list, object, optional, text, time, type Shape } from './shape.js'

/** Terms that will apply to orders to come. */
export interface AnnouncedTerms {
  readonly feePercentage: Decimal
  readonly minimumOrderAmount: Decimal
  readonly from: Date
}

export const announcedTermsShape: Shape<AnnouncedTerms> = {
  feePercentage: decimal,
  minimumOrderAmount: decimal,
  from: time,
}

/** The terms of orders to come in one currency, with those that are announced. */
export interface MarketTerms {
  readonly feePercentage: Decimal
  readonly minimumOrderAmount: Decimal
  readonly announcedTerms?: AnnouncedTerms
}

export const marketTermsShape: Shape<MarketTerms> = {
  feePercentage: decimal,
  minimumOrderAmount: decimal,
  announcedTerms: optional(object(announcedTermsShape)),
}

/** A question with two outcomes. Prices are of one share, from 0 to 1. */
export interface MarketData {
  readonly id: string
  readonly title: string
  readonly status: string
  readonly outcome1Id: string
  readonly outcome2Id: string
  readonly outcome1Label: string
  readonly outcome2Label: string
  readonly outcome1Price: Decimal
  readonly outcome2Price: Decimal
  readonly yesBuyPrice: Decimal
  readonly noBuyPrice: Decimal
  readonly minimumOrderAmount: Decimal
  readonly feePercentage: Decimal
  readonly announcedTerms?: AnnouncedTerms
  readonly totalOrders: number
  readonly rules?: string
  readonly resolvedOutcome?: string
  readonly resolvedOutcomeId?: string
  readonly resolutionPrice?: Decimal
  readonly marketThreshold?: Decimal
  readonly marketCloseValue?: Decimal
}

export const marketShape: Shape<MarketData> = {
  id: text,
  title: text,
  status: text,
  outcome1Id: text,
  outcome2Id: text,
  outcome1Label: text,
  outcome2Label: text,
  outcome1Price: decimal,
  outcome2Price: decimal,
  yesBuyPrice: decimal,
  noBuyPrice: decimal,
  minimumOrderAmount: decimal,
  feePercentage: decimal,
  announcedTerms: optional(object(announcedTermsShape)),
  totalOrders: count,
  rules: optional(text),
  resolvedOutcome: optional(text),
  resolvedOutcomeId: optional(text),
  resolutionPrice: optional(decimal),
  marketThreshold: optional(decimal),
  marketCloseValue: optional(decimal),
}

/** A subject with one or more markets. */
export interface EventData {
  readonly id: string
  readonly slug: string
  readonly title: string
  readonly description?: string
  readonly category: string
  readonly subcategory?: string
  readonly type: string
  readonly engine: string
  readonly status: string
  readonly liquidity: Decimal
  readonly totalVolume: Decimal
  readonly totalOrders: number
  readonly supportedCurrencies: readonly string[]
  readonly createdAt: Date
  readonly openingDate?: Date
  readonly closingDate?: Date
  readonly resolutionDate?: Date
  readonly resolvedAt?: Date
  readonly hashtags?: readonly string[]
  readonly userWatchlisted?: boolean
  readonly seriesSlug?: string
  readonly assetSymbolPair?: string
  readonly eventThreshold?: Decimal
  readonly eventCloseValue?: Decimal
  readonly sportGameSlug?: string
  readonly sportMarketType?: string
}

export const eventShape: Shape<EventData> = {
  id: text,
  slug: text,
  title: text,
  description: optional(text),
  category: text,
  subcategory: optional(text),
  type: text,
  engine: text,
  status: text,
  liquidity: decimal,
  totalVolume: decimal,
  totalOrders: count,
  supportedCurrencies: list(text),
  createdAt: time,
  openingDate: optional(time),
  closingDate: optional(time),
  resolutionDate: optional(time),
  resolvedAt: optional(time),
  hashtags: optional(list(text)),
  userWatchlisted: optional(flag),
  seriesSlug: optional(text),
  assetSymbolPair: optional(text),
  eventThreshold: optional(decimal),
  eventCloseValue: optional(decimal),
  sportGameSlug: optional(text),
  sportMarketType: optional(text),
}

/** A series of events, one for each interval. */
export interface Series {
  readonly id: string
  readonly slug: string
  readonly displayName: string
  readonly description?: string
  readonly category: string
  readonly intervalType: string
  readonly assetSymbol: string
  readonly automationType?: string
}

export const seriesShape: Shape<Series> = {
  id: text,
  slug: text,
  displayName: text,
  description: optional(text),
  category: text,
  intervalType: text,
  assetSymbol: text,
  automationType: optional(text),
}

/** An event of a series, without its markets. */
export interface LeanEvent {
  readonly id: string
  readonly title: string
  readonly openingDate?: Date
  readonly closingDate?: Date
  readonly resolutionDate?: Date
}

export const leanEventShape: Shape<LeanEvent> = {
  id: text,
  title: text,
  openingDate: optional(time),
  closingDate: optional(time),
  resolutionDate: optional(time),
}
