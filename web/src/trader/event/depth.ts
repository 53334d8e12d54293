// The book as two stairs: how many shares there are up to each price. Floats are for pixels only.
import type { Book } from '../../shared/api/types'

export interface Depth {
  prices: number[]
  bids: (number | null)[]
  asks: (number | null)[]
}

export function depthOf(book: Pick<Book, 'bids' | 'asks'>): Depth {
  const sums = new Map<number, { bid: number | null; ask: number | null }>()
  const at = (price: number) => {
    const found = sums.get(price) ?? { bid: null, ask: null }
    sums.set(price, found)
    return found
  }
  let total = 0
  for (const level of book.bids) at(Number(level.price)).bid = total += Number(level.quantity)
  total = 0
  for (const level of book.asks) at(Number(level.price)).ask = total += Number(level.quantity)
  const prices = [...sums.keys()].sort((left, right) => left - right)
  return {
    prices,
    bids: prices.map((price) => sums.get(price)!.bid),
    asks: prices.map((price) => sums.get(price)!.ask),
  }
}
