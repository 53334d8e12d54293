// What is known of an order before it is sent: the exchange's quote of it, and whether the order waits for its confirmation.
import { answerAt, api } from '../../shared/api/client'
import { asFailure, type Failure } from '../../shared/api/failure'
import type { Quote, QuoteRequest } from '../../shared/api/types'
import { throttle } from '../../shared/state/throttle'

const TYPING_MILLISECONDS = 180
const ASKED_AGAIN_MILLISECONDS = 1000
const QUOTE_WAIT_MILLISECONDS = 3000

/** The order that a quote is about. */
export interface Question {
  eventId: string
  marketId: string
  body: QuoteRequest
}

/** A quote, with the sequence of its state. */
export interface Preview {
  quote: Quote
  sequence: number
  of: string
}

export function quoted({ eventId, marketId, body }: Question) {
  return api.POST('/v1/pm/events/{eventId}/markets/{marketId}/quote', { params: { path: { eventId, marketId } }, body })
}

export class Review {
  preview = $state.raw<Preview | undefined>()
  failure = $state.raw<Failure | undefined>()
  quoting = $state(false)
  /** The order that waits for its confirmation, as its form writes it; empty for none. */
  confirming = $state('')
  private question: Question | undefined
  private generation = 0
  private timer: ReturnType<typeof setTimeout> | undefined

  /** Something was changed: what was said of another order goes, and a quote is asked for a moment after the last change. */
  ask(question: Question | undefined): void {
    clearTimeout(this.timer)
    this.generation += 1
    this.confirming = ''
    this.question = question
    if (!question) {
      this.preview = undefined
      this.failure = undefined
      this.quoting = false
      return
    }
    if (this.preview?.of !== JSON.stringify(question)) this.quoting = true
    this.timer = setTimeout(() => void this.read(question), TYPING_MILLISECONDS)
  }

  /** The market moved, or the line is back: the same question again, quietly. What is being asked already will do. */
  readonly askAgain = throttle(() => {
    if ((this.preview || this.failure) && this.question && !this.quoting) void this.read(this.question)
  }, ASKED_AGAIN_MILLISECONDS)

  /** The quote of an order that is to be sent. One that is quicker than its quote waits for it, but not for long. */
  async ready(question: Question): Promise<Preview | undefined> {
    const of = JSON.stringify(question)
    const here = () => (this.preview?.of === of ? this.preview : undefined)
    if (!here()) {
      const late = new Promise<void>((resume) => setTimeout(resume, QUOTE_WAIT_MILLISECONDS))
      await Promise.race([this.read(question), late])
    }
    return here()
  }

  /** Whether an order that is asked about first was confirmed. If not, it waits for that from now on. */
  passes(written: string, confirmed: boolean): boolean {
    if (confirmed && this.confirming === written) return true
    this.confirming = written
    return false
  }

  private async read(question: Question): Promise<void> {
    const generation = this.generation
    try {
      const { data: quote, sequence } = await answerAt(quoted(question))
      if (generation !== this.generation) return
      this.preview = { quote, sequence, of: JSON.stringify(question) }
      this.failure = undefined
    } catch (error) {
      if (generation !== this.generation) return
      this.preview = undefined
      this.failure = asFailure(error)
    } finally {
      if (generation === this.generation) this.quoting = false
    }
  }
}
