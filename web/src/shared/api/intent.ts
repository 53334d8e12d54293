// A write that is sent again must not happen again: each intent has one idempotency key, and every attempt carries it.
import { answer } from './client'
import { asFailure, type Failure } from './failure'
import { shown } from './shown'

const ATTEMPTS = 3
const PAUSE_MILLISECONDS = 400

/** Random, also on pages that are not served over TLS, where randomUUID is missing. */
export function newIntent(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export interface Outcome<Data> {
  data?: Data
  error?: unknown
  response: Response
}

/** Sends a write, and retries it with the same key if its outcome is unknown; never for another person than it was meant for. */
export async function submit<Data>(
  send: (headers: { 'Idempotency-Key': string }) => Promise<Outcome<Data>>,
  intent = newIntent(),
): Promise<NonNullable<Data>> {
  const by = shown.person?.id
  let undecided: Failure | undefined
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await answer(send({ 'Idempotency-Key': intent }))
    } catch (error) {
      const failure = asFailure(error)
      if (failure.undecided) undecided = failure
      if (!failure.undecided || attempt === ATTEMPTS) throw failure.early ? (undecided ?? failure) : failure
      await new Promise((resume) => setTimeout(resume, PAUSE_MILLISECONDS * attempt))
      if (shown.person?.id !== by) throw failure
    }
  }
}
