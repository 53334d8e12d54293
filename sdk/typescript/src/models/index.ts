/** What the exchange sends, as typed data. */

export type {
  Activity,
  AuthCheck,
  IssuedKey,
  Movement,
  Pnl,
  Position,
  PositionEvent,
  PositionMarket,
  Version,
  Wallet,
  WalletData,
} from './account.js'
export type {
  Book,
  BookData,
  Candle,
  Level,
  PricePoint,
  Quote,
  QuotedOrder,
  QuotedRefusal,
  Ticker,
  Trade,
} from './data.js'
export type { AnnouncedTerms, EventData, LeanEvent, MarketData, MarketTerms, Series } from './market.js'
export type { BatchCancel, BatchCancelItem, ItemError, Minted, OrderData, Summary } from './order.js'
