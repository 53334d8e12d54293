// The rows of the ladder: a price in hundredths each, with what the book and the reader have there. Pure.
import type { Book, Order, OutcomeSide, Side } from '../../shared/api/types'
import { type Decimal, ONE, units } from '../../shared/numbers/decimal'

const [LOWEST, HIGHEST] = [1, 99]
const HUNDREDTH = ONE / 100n

export interface Row {
  /** Hundredths of what a share pays: 1 to 99. */
  hundredths: number
  bids: bigint
  asks: bigint
  /** The reader's own orders at this price. */
  own: Order[]
}

const hundredthsOf = (price: Decimal) => Number(units(price) / HUNDREDTH)

/** The price to trade at now: of the best seller for a buyer, of the best buyer for a seller. */
export function touchOf(book: Book | undefined, side: Side): number | undefined {
  const level = side === 'BUY' ? book?.asks[0] : book?.bids[0]
  return level && hundredthsOf(level.price)
}

/** The row between the best buyer and the best seller, or where the last trade was. */
export function middleOf(book: Book | undefined): number {
  const [ask, bid] = [touchOf(book, 'BUY'), touchOf(book, 'SELL')]
  if (ask !== undefined && bid !== undefined) return Math.round((ask + bid) / 2)
  return ask ?? bid ?? (book?.lastTradedPrice === undefined ? 50 : hundredthsOf(book.lastTradedPrice))
}

/** So many rows around a price, the highest first. They end at 1 and 99. */
export function rowsOf(book: Book | undefined, orders: readonly Order[], outcome: OutcomeSide, centre: number, count: number): Row[] {
  const half = Math.floor(count / 2)
  const top = Math.min(HIGHEST, Math.max(centre + half, LOWEST + count - 1))
  const [bids, asks] = [sizes(book?.bids ?? []), sizes(book?.asks ?? [])]
  const own = orders.filter((order) => order.outcome === outcome)
  return Array.from({ length: count }, (_, index) => top - index)
    .filter((hundredths) => hundredths >= LOWEST)
    .map((hundredths) => ({
      hundredths,
      bids: bids.get(hundredths) ?? 0n,
      asks: asks.get(hundredths) ?? 0n,
      own: own.filter((order) => hundredthsOf(order.price) === hundredths),
    }))
}

function sizes(levels: readonly { price: Decimal; quantity: Decimal }[]): Map<number, bigint> {
  return new Map(levels.map((level) => [hundredthsOf(level.price), units(level.quantity)]))
}
