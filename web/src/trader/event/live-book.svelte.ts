// The books of a market, whole and in order as the stream tells them. A busy book changes more often than an eye can follow, so
// what is on the page is renewed at most five times a second.
import { answer, api } from '../../shared/api/client'
import type { Book, Market, OutcomeSide } from '../../shared/api/types'
import type { Currency } from '../../shared/numbers/format'
import { throttle } from '../../shared/state/throttle'
import { markets as stream } from '../../shared/stream/stream'

const SHOWN_MILLISECONDS = 200

export class LiveBook {
  books = $state.raw<Partial<Record<OutcomeSide, Book>>>({})
  private newest: Partial<Record<OutcomeSide, Book>> = {}

  /** Follows a market until the returned function is called. */
  follow(market: Market, currency: Currency): () => void {
    this.newest = {}
    this.books = {}
    const show = throttle(() => (this.books = { ...this.newest }), SHOWN_MILLISECONDS)
    const take = (book: Book) => {
      this.newest[book.outcomeId === market.outcome1Id ? 'YES' : 'NO'] = book
      show()
    }
    const leave = stream.listen(`orderbook:${market.id}:${currency}`, {
      receive: (message) => take(message.data.orderbook),
    })
    // The stream tells the book as soon as it is subscribed to; this is for when it cannot be reached.
    const query = { 'outcomeId[]': [market.outcome1Id, market.outcome2Id], depth: 50, currency }
    answer(api.GET('/v1/pm/books', { params: { query } })).then(
      (books) =>
        books.forEach((book) => this.newest[book.outcomeId === market.outcome1Id ? 'YES' : 'NO'] || take(book)),
      () => undefined,
    )
    return () => {
      leave()
      show.cancel()
    }
  }
}
