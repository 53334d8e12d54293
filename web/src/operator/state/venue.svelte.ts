// How the venue is, read every two seconds while somebody is signed in: one reading serves the overview, the bar that warns on
// every page, and the count beside the proposals.
import { answer } from '../../shared/api/client'
import { Resource } from '../../shared/state/resource.svelte'
import { admin } from '../api/client'
import type { VenueStatus } from '../api/types'
import { poll } from './poll'
import type { Reading } from './pulse'

const EVERY_MILLISECONDS = 2000
/** Five minutes. */
const READINGS_MAX = 150

class Venue extends Resource<VenueStatus> {
  readings = $state.raw<Reading[]>([])

  refresh = (): void => {
    void this.load(async () => {
      const begun = performance.now()
      const status = await answer(admin.GET('/admin/v1/status'))
      const { sequence, historyLag, waiting } = status
      const reading = { at: Date.now(), sequence, historyLag, waiting, latency: performance.now() - begun }
      this.readings = [...this.readings.slice(1 - READINGS_MAX), reading]
      return status
    })
  }

  follow(): () => void {
    return poll(this.refresh, EVERY_MILLISECONDS)
  }
}

export const venue = new Venue()
