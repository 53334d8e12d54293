// The ticket's state: what is filled in, what the exchange says it would do now, and sending it.
import { answer, answerAt, api } from '../../shared/api/client'
import { asFailure, type Failure } from '../../shared/api/failure'
import { newIntent, submit } from '../../shared/api/intent'
import type { Book, Event, Market, Order, OutcomeSide, Quote, QuoteRequest } from '../../shared/api/types'
import { carrier, type Decimal, floorTo, ONE, text, units } from '../../shared/numbers/decimal'
import { groupTyped } from '../../shared/numbers/typed'
import { throttle } from '../../shared/state/throttle'
import { currency } from '../session/currency.svelte'
import { outcomeId } from '../market/market-view'
import { compose, emptyForm, exceedsFunds, mostOf, outlayOf, problemsOf, terms, type Context } from './compose'
import { confirmation, type Estimate, ofQuote } from './estimate'

const TYPING_MILLISECONDS = 180
const ASKED_AGAIN_MILLISECONDS = 1000
const CENT = ONE / 100n
const SEARCH_STEPS = 14
const QUOTE_WAIT_MILLISECONDS = 3000

/** A quote, with the state and the order that it is about. */
export interface Preview {
  quote: Quote
  sequence: number
  body: string
}

/** What was sent, with what was shown for it before. */
export interface Sent {
  order: Order
  /** The quote on the page, if another command came between it and the order. */
  overtaken: Quote | undefined
}

export class Ticket {
  form = $state(emptyForm())
  event = $state.raw<Event>()!
  market = $state.raw<Market>()!
  /** What the reader can spend and sell; null while it is not known. */
  cash = $state.raw<bigint | null>(null)
  held = $state.raw<bigint | null>(null)
  /** The books of both outcomes, where there are some. */
  books = $state.raw<Partial<Record<OutcomeSide, Book>>>({})
  preview = $state.raw<Preview | undefined>()
  quoteFailure = $state.raw<Failure | undefined>()
  quoting = $state(false)
  sending = $state(false)
  failure = $state.raw<Failure | undefined>()
  /** Problems are shown after the first attempt to send. */
  tried = $state(false)
  /** The order that waits for its confirmation. */
  private confirming = $state('')
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
      cash: this.cash,
      held: this.held,
    }
  }

  get problems() {
    return problemsOf(this.form, this.context)
  }

  /** What is shown at once: more than there is. The others wait until the form is sent. */
  get shownProblems() {
    return this.tried || exceedsFunds(this.form, this.context) ? this.problems : {}
  }

  /** The order without its name and expiry: what its quote is asked with, and what it is known by. */
  get body(): QuoteRequest | null {
    return terms(this.form, this.context)
  }

  private get written(): string {
    return JSON.stringify([this.market.id, this.body])
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
    return this.preview && ofQuote(this.preview.quote, this.form, currency.current)
  }

  /** Why the order is to be confirmed, while it is. */
  get confirmation(): string | undefined {
    if (!this.confirming || this.confirming !== this.written) return undefined
    return this.reasonToConfirm(this.estimate)
  }

  private reasonToConfirm(estimate: Estimate | undefined): string | undefined {
    return confirmation(estimate, outlayOf(this.form, this.context), this.form.side, this.cash, currency.current)
  }

  choose(outcome: OutcomeSide): void {
    this.form.outcome = outcome
  }

  /** Something was changed: what was said of another order goes, and a quote is asked for a moment after the last change. */
  ask(): void {
    clearTimeout(this.timer)
    this.generation += 1
    this.failure = undefined
    this.confirming = ''
    // A size that is wrong in itself is said so by the form; its quote would only say it again.
    const wrong = this.problems.size && !exceedsFunds(this.form, this.context)
    if (!this.body || wrong || !this.tradeable) {
      this.preview = undefined
      this.quoteFailure = undefined
      this.quoting = false
      return
    }
    if (this.preview?.body !== this.written) this.quoting = true
    this.timer = setTimeout(() => void this.read(this.generation), TYPING_MILLISECONDS)
  }

  /** The market moved, or the line is back: the same question again, quietly. What is being asked already will do. */
  readonly askAgain = throttle(() => {
    if (this.failure?.unreachable) this.failure = undefined
    if ((this.preview || this.quoteFailure) && this.body && this.tradeable && !this.quoting) void this.read(this.generation)
  }, ASKED_AGAIN_MILLISECONDS)

  private async read(generation: number): Promise<void> {
    const [body, written] = [this.body, this.written]
    if (!body) return
    try {
      const { data: quote, sequence } = await answerAt(this.quoted(body))
      if (generation !== this.generation) return
      this.preview = { quote, sequence, body: written }
      this.quoteFailure = undefined
    } catch (error) {
      if (generation !== this.generation) return
      this.preview = undefined
      this.quoteFailure = asFailure(error)
    } finally {
      if (generation === this.generation) this.quoting = false
    }
  }

  private quoted(body: QuoteRequest) {
    const params = { path: { eventId: this.event.id, marketId: this.market.id } }
    return api.POST('/v1/pm/events/{eventId}/markets/{marketId}/quote', { params, body })
  }

  /** Fills in the largest purchase that the cash is good for: what would be spent, not what could be asked for. */
  async most(cash: bigint): Promise<void> {
    const found = mostOf(this.form, cash, this.market.feePercentage, this.context)
    this.form.unit = found.unit
    this.form.size = groupTyped(found.size)
    if (this.form.type !== 'MARKET' || found.unit !== 'money' || !this.body) return
    const size = this.form.size
    const spent = await this.spendable(this.body, cash).catch(() => 0n)
    // Without an answer, or with another order typed meanwhile, the form stays as it is.
    if (spent > 0n && this.form.size === size) this.form.size = groupTyped(text(spent))
  }

  /** What a market order spends of the cash. A pool fills all of an order or refuses it, so the largest one is sought. */
  private async spendable(body: QuoteRequest, cash: bigint): Promise<bigint> {
    const at = (amount: bigint) => answer(this.quoted({ ...body, amount: carrier(amount) } as QuoteRequest))
    const whole = await at(floorTo(cash, CENT))
    if (!whole.order?.refusal) return floorTo(units(whole.amount), CENT)
    let [fits, refused] = [0n, cash]
    for (let step = 0; step < SEARCH_STEPS; step += 1) {
      const middle = floorTo((fits + refused) / 2n, CENT)
      if (middle <= fits) break
      if ((await at(middle)).order?.refusal) refused = middle
      else fits = middle
    }
    return fits
  }

  /** Sends the order. The same order sent again after a failure is the same intent, so it cannot happen twice. */
  async send(): Promise<Sent | undefined> {
    this.tried = true
    this.failure = undefined
    if (Object.keys(this.problems).length > 0) return undefined
    // An order that is quicker than its quote waits for it, but not for long. Without an answer its size alone is looked at.
    if (this.preview?.body !== this.written) {
      this.sending = true
      const late = new Promise<void>((resume) => setTimeout(resume, QUOTE_WAIT_MILLISECONDS))
      await Promise.race([this.read(this.generation), late])
      this.sending = false
    }
    // What the exchange would refuse is not sent; what is large is sent only after it was confirmed.
    const preview = this.preview?.body === this.written ? this.preview : undefined
    const estimate = preview && this.estimate
    if (estimate?.refusal) return undefined
    if (this.reasonToConfirm(estimate) && this.confirming !== this.written) {
      this.confirming = this.written
      return undefined
    }
    const body = compose(this.form, this.context)
    const written = JSON.stringify([this.market.id, body])
    if (written !== this.intended) {
      this.intended = written
      this.intent = newIntent()
    }
    this.sending = true
    try {
      const params = { path: { eventId: this.event.id, marketId: this.market.id } }
      let sequence = 0
      const { order } = await submit(async (headers) => {
        const outcome = await api.POST('/v1/pm/events/{eventId}/markets/{marketId}/orders', { params, body, headers })
        sequence = Number(outcome.response.headers.get('x-sequence') ?? 0)
        return outcome
      }, this.intent)
      // It happened: the next one, even if it is the same, is another.
      this.intended = ''
      this.tried = false
      this.form.size = ''
      this.form.clientOrderId = ''
      this.preview = undefined
      this.confirming = ''
      return { order, overtaken: preview && preview.sequence + 1 !== sequence ? preview.quote : undefined }
    } catch (error) {
      this.failure = asFailure(error)
      if (!this.failure.unreachable && !this.failure.outcomeUnknown) this.intended = ''
      return undefined
    } finally {
      this.sending = false
    }
  }

  /** Takes a confirmation back. */
  reconsider(): void {
    this.confirming = ''
  }
}
