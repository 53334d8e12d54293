/**
 * A client of a Bellwether prediction-market exchange, for Node and browsers. Numbers are `Decimal`, retries never
 * double an order, and streams resume where they stopped.
 */

export { LocalBook, Trust, type BookLevel, type MarketPrices, type SideName } from './book.js'
export { Room, Update, type Copy, type Fill, type UpdateKind } from './changes.js'
export {
  Client,
  type ActivityFilters,
  type ClientOptions,
  type ClientSettings,
  type EventFilters,
  type FollowOptions,
  type InCurrency,
  type OrderFilters,
  type Paged,
  type PnlOptions,
  type PositionFilters,
  type TradeFilters,
} from './client.js'
export { Decimal, type Numeric, type Rounding } from './decimal.js'
export {
  ApiError,
  BadRequest,
  BellwetherError,
  Conflict,
  ConnectionFailed,
  Forbidden,
  NotFound,
  OutcomeUnknown,
  RateLimited,
  RuleRefused,
  StreamRefused,
  Unauthorized,
  Unavailable,
  UnreadableAnswer,
  WaitTimedOut,
  type Refusal,
} from './errors.js'
export { decode, encode, type Encodable, type Json, type JsonObject } from './json.js'
export { LocalAccount, type LocalPosition, type LocalWallet } from './ledger.js'
export { Event, Market, Outcome, type CandleOptions, type Keyed } from './market.js'
export type * from './models/index.js'
export { Batch, BatchItem, Order } from './order.js'
export { Pager } from './pager.js'
export * as requests from './requests/index.js'
export type { Access, Request } from './requests/base.js'
export type {
  Amendment,
  CancelConditions,
  NewOrder,
  OrderTerms,
  Side,
  StpMode,
  TimeInForce,
} from './requests/trading.js'
export { AccountStream, ChangeStream, Listener, MarketStream, Stream, type Message } from './stream.js'
export { VERSION, type Answer } from './wire.js'
