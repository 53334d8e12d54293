// Sends writes, and keeps the key of one whose outcome is not known: sent again, it is the same intent and happens once.
import * as texts from '../texts/common'
import { asFailure, Failure } from './failure'
import { newIntent, type Outcome, submit } from './intent'
import { shown } from './shown'

interface Write<Body> {
  body: Body
  intent: string
}

export class Sender {
  /** The writes whose outcome is not known. One that is under way is not among them: two clicks in a row are two orders. */
  private readonly undecided = new Map<string, Write<unknown>>()

  /**
   * `wish`: what the person asks for. Asked for again while its outcome is not known, the body of the first time goes out again,
   * also where prices or holdings would make another one by now.
   */
  async send<Body, Data>(
    wish: unknown,
    body: Body,
    request: (body: Body, headers: { 'Idempotency-Key': string }) => Promise<Outcome<Data>>,
  ): Promise<NonNullable<Data>> {
    // The same wish of another person is another write.
    const name = JSON.stringify([shown.person?.id, wish])
    const kept = this.undecided.get(name) as Write<Body> | undefined
    const write = kept ?? { body, intent: newIntent() }
    this.undecided.delete(name)
    try {
      return await submit((headers) => request(write.body, headers), write.intent)
    } catch (error) {
      const failure = asFailure(error)
      if (!failure.undecided && !(kept && failure.early)) throw failure
      this.undecided.set(name, write)
      throw new Failure(texts.notKnownWhetherItHappened, failure.status, failure.code, failure.retryAfter, true)
    }
  }
}
