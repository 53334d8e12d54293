/** The account: wallets, positions, results, history, keys. */

import type { Decimal } from '../decimal.js'
import { count, decimal, flag, object, optional, text, time, type Shape } from './shape.js'

/** The money of one currency. `pendingBalance` is held by open orders. */
export interface WalletData {
  readonly id: string
  readonly symbol: string
  readonly availableBalance: Decimal
  readonly pendingBalance: Decimal
  readonly currencyBaseMultiplier: number
}

export const walletShape: Shape<WalletData> = {
  id: text,
  symbol: text,
  availableBalance: decimal,
  pendingBalance: decimal,
  currencyBaseMultiplier: count,
}

/** A wallet that was read. */
export interface Wallet extends WalletData {
  /** The sequence of the exchange's state that the wallet is of. */
  readonly asOf?: number
}

/** The event of a position. */
export interface PositionEvent {
  readonly id: string
  readonly title: string
  readonly engine: string
}

export const positionEventShape: Shape<PositionEvent> = { id: text, title: text, engine: text }

/** The market of a position. */
export interface PositionMarket {
  readonly id: string
  readonly title: string
  readonly event: PositionEvent
}

export const positionMarketShape: Shape<PositionMarket> = {
  id: text,
  title: text,
  event: object(positionEventShape),
}

/** Shares of one outcome in one currency. */
export interface Position {
  readonly id: string
  readonly outcome: string
  readonly outcomeId: string
  readonly balance: Decimal
  readonly availableBalance: Decimal
  readonly averagePrice: Decimal
  readonly cost: Decimal
  readonly currentValue: Decimal
  readonly sellPrice: Decimal
  readonly payoutIfOutcomeWins: Decimal
  readonly percentageChange: Decimal
  readonly currency: string
  readonly market: PositionMarket
  readonly createdAt: Date
  readonly updatedAt: Date
}

export const positionShape: Shape<Position> = {
  id: text,
  outcome: text,
  outcomeId: text,
  balance: decimal,
  availableBalance: decimal,
  averagePrice: decimal,
  cost: decimal,
  currentValue: decimal,
  sellPrice: decimal,
  payoutIfOutcomeWins: decimal,
  percentageChange: decimal,
  currency: text,
  market: object(positionMarketShape),
  createdAt: time,
  updatedAt: time,
}

/** What was won and lost, in one currency. */
export interface Pnl {
  readonly realizedPnl: Decimal
  readonly realizedPnlPercent: Decimal
  readonly settlementPnl: Decimal
  readonly tradePnl: Decimal
  readonly wins: number
  readonly losses: number
  readonly currency: string
}

export const pnlShape: Shape<Pnl> = {
  realizedPnl: decimal,
  realizedPnlPercent: decimal,
  settlementPnl: decimal,
  tradePnl: decimal,
  wins: count,
  losses: count,
  currency: text,
}

/** One movement of money. `amount` is below 0 where money left the account. */
export interface Movement {
  readonly id: string
  readonly type: string
  readonly amount: Decimal
  readonly balance: Decimal
  readonly fee: Decimal
  readonly currency: string
  readonly createdAt: Date
  readonly eventId?: string
  readonly eventTitle?: string
  readonly marketId?: string
  readonly marketTitle?: string
  readonly orderId?: string
  readonly outcome?: string
  readonly price?: Decimal
  readonly size?: Decimal
  readonly reference?: string
}

export const movementShape: Shape<Movement> = {
  id: text,
  type: text,
  amount: decimal,
  balance: decimal,
  fee: decimal,
  currency: text,
  createdAt: time,
  eventId: optional(text),
  eventTitle: optional(text),
  marketId: optional(text),
  marketTitle: optional(text),
  orderId: optional(text),
  outcome: optional(text),
  price: optional(decimal),
  size: optional(decimal),
  reference: optional(text),
}

/** Something that happened to an order or a position. */
export interface Activity {
  readonly id: string
  readonly type: string
  readonly status: string
  readonly eventId: string
  readonly eventTitle: string
  readonly marketId: string
  readonly marketTitle: string
  readonly outcome: string
  readonly outcomeId: string
  readonly orderId?: string
  readonly currency: string
  readonly amount: Decimal
  readonly fee: Decimal
  readonly size: Decimal
  readonly price: Decimal
  readonly totalCost: Decimal
  readonly filledSize?: Decimal
  readonly remainingSize?: Decimal
  readonly payout?: Decimal
  readonly createdAt: Date
  readonly updatedAt: Date
}

export const activityShape: Shape<Activity> = {
  id: text,
  type: text,
  status: text,
  eventId: text,
  eventTitle: text,
  marketId: text,
  marketTitle: text,
  outcome: text,
  outcomeId: text,
  orderId: optional(text),
  currency: text,
  amount: decimal,
  fee: decimal,
  size: decimal,
  price: decimal,
  totalCost: decimal,
  filledSize: optional(decimal),
  remainingSize: optional(decimal),
  payout: optional(decimal),
  createdAt: time,
  updatedAt: time,
}

/** The verifier's word on a signed request. `skewSeconds` is how far this machine's clock is ahead. */
export interface AuthCheck {
  readonly valid: boolean
  readonly serverTime: number
  readonly skewSeconds: number
  readonly bodyHash: string
}

export const authCheckShape: Shape<AuthCheck> = { valid: flag, serverTime: count, skewSeconds: count, bodyHash: text }

/** A new API key. The exchange shows its secret only once; `secretKey` is not in what consoles and JSON show. */
export interface IssuedKey {
  readonly id: string
  readonly name: string
  readonly publicKey: string
  readonly secretKey: string
  readonly createdAt: Date
}

export const issuedKeyShape: Shape<IssuedKey> = {
  id: text,
  name: text,
  publicKey: text,
  secretKey: text,
  createdAt: time,
}

/** The build of the exchange. */
export interface Version {
  readonly version: string
  readonly commit: string
}

export const versionShape: Shape<Version> = { version: text, commit: text }
