// Something that is read from the exchange: what is known of it, whether it is being read, and what went wrong. An older answer
// never replaces a newer one, and a failed refresh keeps what was there.
import { asFailure, type Failure } from '../api/failure'

export class Resource<Value> {
  value = $state.raw<Value | undefined>()
  failure = $state.raw<Failure | undefined>()
  loading = $state(false)
  private generation = 0

  /** Nothing known yet, and no failure: time for a skeleton. */
  get pending(): boolean {
    return this.value === undefined && this.failure === undefined
  }

  async load(read: () => Promise<Value>): Promise<void> {
    const generation = ++this.generation
    this.loading = true
    try {
      const value = await read()
      if (generation !== this.generation) return
      this.value = value
      this.failure = undefined
    } catch (error) {
      if (generation !== this.generation) return
      this.failure = asFailure(error)
    } finally {
      if (generation === this.generation) this.loading = false
    }
  }

  clear(): void {
    this.generation += 1
    this.value = undefined
    this.failure = undefined
    this.loading = false
  }
}
