// The venue's status, polled every two seconds while an operator is signed in: one poll serves the overview, the warning bar on
// every page, and the count beside the proposals.
import { answer } from '../../shared/api/client'
import { Resource } from '../../shared/state/resource.svelte'
import { admin } from '../api/client'
import type { VenueStatus } from '../api/types'
import { poll } from './poll'
import type { Reading } from './pulse'

const EVERY_MILLISECONDS = 2000
const PATIENCE_MILLISECONDS = 5000
/** Five minutes. */
const READINGS_MAX = 150

class Venue extends Resource<VenueStatus> {
  readings = $state.raw<Reading[]>([])
  private asking = false

  refresh = (): void => {
    // One at a time: a slow answer must not be thrown away for a question that was asked after it.
    if (this.asking) return
    this.asking = true
    const asked = this.load(async () => {
      const begun = performance.now()
      // An exchange that hangs answers nothing, which is not the same as all being well.
      const signal = AbortSignal.timeout(PATIENCE_MILLISECONDS)
      const status = await answer(admin.GET('/admin/v1/status', { signal }))
      const { sequence, historyLag, waiting } = status
      const reading = { at: Date.now(), sequence, historyLag, waiting, latency: performance.now() - begun }
      this.readings = [...this.readings.slice(1 - READINGS_MAX), reading]
      return status
    })
    void asked.finally(() => (this.asking = false))
  }

  follow(): () => void {
    return poll(this.refresh, EVERY_MILLISECONDS)
  }
}

export const venue = new Venue()
