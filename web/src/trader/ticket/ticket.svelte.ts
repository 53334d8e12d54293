// The ticket's state: what is filled in, what it would do now, and sending it.
import { answer, api } from '../../shared/api/client'
import { asFailure, type Failure } from '../../shared/api/failure'
import { newIntent, submit } from '../../shared/api/intent'
import type { Book, Event, Market, Order, OutcomeSide, Quote } from '../../shared/api/types'
import { carrier, type Decimal, parseInput, units } from '../../shared/numbers/decimal'
import { throttle } from '../../shared/state/throttle'
import { currency } from '../session/currency.svelte'
import { outcomeId } from '../market/market-view'
import { compose, emptyForm, limitPrice, limitShares, problemsOf, type Context } from './compose'
import { type Estimate, ofLimit, ofQuote, takesNow } from './estimate'

const TYPING_MILLISECONDS = 180
const ASKED_AGAIN_MILLISECONDS = 1000

export class Ticket {
  form = $state(emptyForm())
  event = $state.raw<Event>()!
  market = $state.raw<Market>()!
  /** The books of both outcomes, where there are some. */
  books = $state.raw<Partial<Record<OutcomeSide, Book>>>({})
  quote = $state.raw<Quote | undefined>()
  quoteFailure = $state.raw<Failure | undefined>()
  quoting = $state(false)
  sending = $state(false)
  failure = $state.raw<Failure | undefined>()
  /** Problems are shown after the first attempt to send. */
  tried = $state(false)
  private generation = 0
  private timer: ReturnType<typeof setTimeout> | undefined
  private intent = newIntent()
  private intended = ''

  get context(): Context {
    return {
      outcomeId: outcomeId(this.market, this.form.outcome),
      currency: currency.current,
      engine: this.event.engine,
      minimum: units(this.market.minimumOrderAmount),
      now: Date.now(),
    }
  }

  get problems() {
    return problemsOf(this.form, this.context)
  }

  get book(): Book | undefined {
    return this.books[this.form.outcome]
  }

  /** The best price in the book for a taker of an outcome. */
  touch(outcome: OutcomeSide): Decimal | undefined {
    const book = this.books[outcome]
    return (this.form.side === 'BUY' ? book?.asks[0] : book?.bids[0])?.price
  }

  get tradeable(): boolean {
    return this.market.status === 'open' && this.event.supportedCurrencies.includes(currency.current)
  }

  get estimate(): Estimate | undefined {
    if (this.form.type === 'MARKET' || this.event.engine === 'AMM') {
      return (
        this.quote &&
        ofQuote(
          this.quote,
          this.form.side,
          currency.current,
          this.form.type === 'MARKET' ? parseInput(this.form.slippage) : null,
        )
      )
    }
    const price = limitPrice(this.form.price)
    const shares = limitShares(this.form, currency.current)
    if (price === null || !shares) return undefined
    const taken = this.book ? takesNow(this.form.side, price, this.book) : 0n
    return ofLimit(this.form.side, price, shares, currency.current, taken, this.market.feePercentage)
  }

  /** How much of a limit order would trade at once. */
  get takes(): bigint {
    const price = limitPrice(this.form.price)
    return price === null || !this.book ? 0n : takesNow(this.form.side, price, this.book)
  }

  choose(outcome: OutcomeSide): void {
    this.form.outcome = outcome
  }

  /** Asks for a quote a moment after the last change; an older answer never replaces a newer one. */
  ask(): void {
    clearTimeout(this.timer)
    this.generation += 1
    const size = parseInput(this.form.size)
    const quoted = this.form.type === 'MARKET' || this.event.engine === 'AMM'
    if (!quoted || !size || !this.tradeable) {
      this.quote = undefined
      this.quoteFailure = undefined
      this.quoting = false
      return
    }
    this.quoting = true
    this.timer = setTimeout(() => void this.read(size, this.generation), TYPING_MILLISECONDS)
  }

  /** The market moved: the same question again, quietly. What is being asked already will do. */
  readonly askAgain = throttle(() => {
    const size = parseInput(this.form.size)
    if (this.quote && size && !this.quoting) void this.read(size, this.generation)
  }, ASKED_AGAIN_MILLISECONDS)

  private async read(size: bigint, generation: number): Promise<void> {
    try {
      const body = {
        side: this.form.side,
        outcomeId: this.context.outcomeId,
        currency: currency.current,
        ...(this.form.unit === 'money' ? { amount: carrier(size) } : { quantity: carrier(size) }),
      }
      const params = { path: { eventId: this.event.id, marketId: this.market.id } }
      const quote = await answer(
        api.POST('/v1/pm/events/{eventId}/markets/{marketId}/quote', { params, body: body as never }),
      )
      if (generation !== this.generation) return
      this.quote = quote
      this.quoteFailure = undefined
    } catch (error) {
      if (generation !== this.generation) return
      this.quote = undefined
      this.quoteFailure = asFailure(error)
    } finally {
      if (generation === this.generation) this.quoting = false
    }
  }

  /** Sends the order. The same order sent again after a failure is the same intent, so it cannot happen twice. */
  async send(): Promise<Order | undefined> {
    this.tried = true
    this.failure = undefined
    if (Object.keys(this.problems).length > 0) return undefined
    const body = compose(this.form, this.context)
    const written = JSON.stringify([this.market.id, body])
    if (written !== this.intended) {
      this.intended = written
      this.intent = newIntent()
    }
    this.sending = true
    try {
      const params = { path: { eventId: this.event.id, marketId: this.market.id } }
      const { order } = await submit(
        (headers) => api.POST('/v1/pm/events/{eventId}/markets/{marketId}/orders', { params, body, headers }),
        this.intent,
      )
      // It happened: the next one, even if it is the same, is another.
      this.intended = ''
      this.tried = false
      this.form.size = ''
      this.form.clientOrderId = ''
      this.quote = undefined
      return order
    } catch (error) {
      this.failure = asFailure(error)
      if (!this.failure.unreachable && !this.failure.outcomeUnknown) this.intended = ''
      return undefined
    } finally {
      this.sending = false
    }
  }
}
