// Submitting a form: whether a request is under way, and why the last one failed.
import { asFailure } from '../api/failure'

export class Attempt {
  busy = $state(false)
  problem = $state('')
  private readonly act: () => Promise<void>
  private readonly explain: (error: unknown) => string

  /** The act throws if it fails; `explain` turns the error into a text for the form. */
  constructor(act: () => Promise<void>, explain = (error: unknown) => asFailure(error).message) {
    this.act = act
    this.explain = explain
  }

  /** The handler for `onsubmit` of the form. */
  submit = (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    return this.run()
  }

  async run(): Promise<void> {
    if (this.busy) return
    this.problem = ''
    this.busy = true
    try {
      await this.act()
    } catch (error) {
      this.problem = this.explain(error)
    } finally {
      this.busy = false
    }
  }
}
