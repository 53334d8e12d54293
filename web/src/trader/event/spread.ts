// The gap between the best buyer and the best seller. Orders of different traders that meet are traded, so a book whose
// best buyer reaches the best seller is crossed by one trader's own orders.
import type { Book } from '../../shared/api/types'
import { units } from '../../shared/numbers/decimal'
import { type Currency, price } from '../../shared/numbers/format'
import * as texts from '../texts/event'

export interface Spread {
  text: string
  crossed: boolean
}

export function spreadOf(book: Pick<Book, 'asks' | 'bids'> | undefined, currency: Currency): Spread | null {
  const [ask, bid] = [book?.asks[0], book?.bids[0]]
  if (!ask || !bid) return null
  const gap = units(ask.price) - units(bid.price)
  return { text: texts.spread(price(gap, currency)), crossed: gap <= 0n }
}
