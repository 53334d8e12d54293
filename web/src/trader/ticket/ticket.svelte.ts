// The ticket's state: what is filled in, what the exchange says it would do now, and sending it.
import { answer, api } from '../../shared/api/client'
import { asFailure, type Failure } from '../../shared/api/failure'
import { Sender } from '../../shared/api/sender'
import { shown } from '../../shared/api/shown'
import type { Book, Event, Market, Order, OutcomeSide, PlaceOrder, Quote, QuoteRequest } from '../../shared/api/types'
import { carrier, type Decimal, floorTo, ONE, units } from '../../shared/numbers/decimal'
import { typedText } from '../../shared/numbers/typed'
import { currency } from '../session/currency.svelte'
import { outcomeId } from '../market/market-view'
import { compose, emptyForm, exceedsFunds, mostOf, outlayOf, problemsOf, terms, type Context } from './compose'
import { confirmation, type Estimate, ofQuote } from './estimate'
import { type Question, quoted, Review } from './review.svelte'

const CENT = ONE / 100n
const SEARCH_STEPS = 14

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
  readonly review = new Review()
  sending = $state(false)
  failure = $state.raw<Failure | undefined>()
  /** Problems are shown after the first attempt to send. */
  tried = $state(false)
  private readonly sender = new Sender()

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

  /** What the exchange is asked about the order; undefined if there is no order yet. */
  private get question(): Question | undefined {
    return this.body ? this.asking(this.body) : undefined
  }

  private asking(body: QuoteRequest): Question {
    return { eventId: this.event.id, marketId: this.market.id, body }
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
    return this.review.preview && ofQuote(this.review.preview.quote, this.form, currency.current)
  }

  /** Why the order is to be confirmed, while it is. */
  get confirmation(): string | undefined {
    const { confirming } = this.review
    return confirming && confirming === JSON.stringify(this.question) ? this.reasonToConfirm(confirming) : undefined
  }

  /** The quote of another order says nothing of this one. */
  private reasonToConfirm(written: string): string | undefined {
    const estimate = this.review.preview?.of === written ? this.estimate : undefined
    return confirmation(estimate, outlayOf(this.form, this.context), this.form.side, this.cash, currency.current)
  }

  choose(outcome: OutcomeSide): void {
    this.form.outcome = outcome
  }

  /** Something was changed: what was said of another order goes. */
  ask(): void {
    this.failure = undefined
    // A size that is wrong in itself is said so by the form; its quote would only say it again.
    const wrong = this.problems.size && !exceedsFunds(this.form, this.context)
    this.review.ask(wrong || !this.tradeable ? undefined : this.question)
  }

  /** The market moved, or the line is back. */
  askAgain(): void {
    if (this.tradeable) this.review.askAgain()
  }

  /** Fills in the largest purchase that the cash is good for: what would be spent, not what could be asked for. */
  async most(cash: bigint): Promise<void> {
    const found = mostOf(this.form, cash, this.market.feePercentage, this.context)
    this.form.unit = found.unit
    this.form.size = found.size
    if (this.form.type !== 'MARKET' || found.unit !== 'money' || !this.body) return
    const size = this.form.size
    const spent = await this.spendable(this.body, cash).catch(() => 0n)
    // Without an answer, or with another order typed meanwhile, the form stays as it is.
    if (spent > 0n && this.form.size === size) this.form.size = typedText(spent)
  }

  /** What a market order spends of the cash. A pool fills all of an order or refuses it, so the largest one is sought. */
  private async spendable(body: QuoteRequest, cash: bigint): Promise<bigint> {
    const at = (amount: bigint) => answer(quoted(this.asking({ ...body, amount: carrier(amount) } as QuoteRequest)))
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

  /**
   * Sends the order. What is large is sent only once it was `confirmed`. The same order sent again while its outcome is not known
   * is the same intent, so it cannot happen twice.
   */
  async send(confirmed = false): Promise<Sent | undefined> {
    const { question } = this
    if (this.sending) return undefined
    this.tried = true
    this.failure = undefined
    if (Object.keys(this.problems).length > 0 || !question) return undefined
    const by = shown.person?.id
    this.sending = true
    try {
      const [written, body] = [JSON.stringify(question), compose(this.form, this.context)]
      const preview = await this.review.ready(question)
      // What was changed while its quote was late is another order, also if another person is shown by now. What the exchange
      // would refuse is not sent.
      if (written !== JSON.stringify(this.question) || shown.person?.id !== by) return undefined
      if (preview && this.estimate?.refusal) return undefined
      // Without a quote the order's size alone is looked at.
      if (this.reasonToConfirm(written) && !this.review.passes(written, confirmed)) return undefined
      const { order, sequence } = await this.place(question, body)
      // It happened: the next one, even if it is the same, is another.
      this.tried = false
      this.form.size = ''
      this.form.clientOrderId = ''
      this.review.ask(undefined)
      return { order, overtaken: preview && preview.sequence + 1 !== sequence ? preview.quote : undefined }
    } catch (error) {
      this.failure = asFailure(error)
      return undefined
    } finally {
      this.sending = false
    }
  }

  /** Another person is shown: what was quoted and is to be confirmed was the first one's. */
  forget(): void {
    // That the session has ended is why nobody is shown, and is still to be said.
    const ended = this.failure?.status === 401 ? this.failure : undefined
    this.review.ask(undefined)
    this.ask()
    this.failure = ended
  }

  private async place({ eventId, marketId }: Question, placed: PlaceOrder): Promise<{ order: Order; sequence: number }> {
    const params = { path: { eventId, marketId } }
    let sequence = 0
    const { order } = await this.sender.send([marketId, placed], placed, async (body, headers) => {
      const outcome = await api.POST('/v1/pm/events/{eventId}/markets/{marketId}/orders', { params, body, headers })
      sequence = Number(outcome.response.headers.get('x-sequence') ?? 0)
      return outcome
    })
    return { order, sequence }
  }

  /** Takes a confirmation back. */
  reconsider(): void {
    this.review.confirming = ''
  }
}
