// Something that is read from the exchange: what is known of it, whether it is being read, and what went wrong. An older answer
// never replaces a newer one, and a failed refresh keeps what was there. What could not be reached is read again when the
// browser is online again.
import { asFailure, type Failure } from '../api/failure'

/** Reads to repeat when the browser is online again. */
const unreached = new Map<object, () => void>()
globalThis.addEventListener?.('online', () => {
  const again = [...unreached.values()]
  unreached.clear()
  for (const read of again) read()
})

export class Resource<Value> {
  value = $state.raw<Value | undefined>()
  failure = $state.raw<Failure | undefined>()
  loading = $state(false)
  private generation = 0

  /** With what is known of it already, if anything. */
  constructor(known?: Value) {
    this.value = known
  }

  /** Nothing known yet, and no failure: time for a skeleton. */
  get pending(): boolean {
    return this.value === undefined && this.failure === undefined
  }

  async load(read: () => Promise<Value>): Promise<void> {
    const generation = ++this.generation
    this.loading = true
    unreached.delete(this)
    try {
      const value = await read()
      if (generation !== this.generation) return
      this.value = value
      this.failure = undefined
    } catch (error) {
      if (generation !== this.generation) return
      this.failure = asFailure(error)
      if (this.failure.status === 0) unreached.set(this, () => void this.load(read))
    } finally {
      if (generation === this.generation) this.loading = false
    }
  }

  clear(): void {
    unreached.delete(this)
    this.generation += 1
    this.value = undefined
    this.failure = undefined
    this.loading = false
  }
}
