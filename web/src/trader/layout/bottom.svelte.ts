// The bottom of a narrow page has one bar: the places, or the bar of a page that has one of its own. Then the header has the places.
import { untrack } from 'svelte'

let taken = $state(0)

export const bottom = {
  get taken() {
    return taken > 0
  },
  /** For a bar of the page, until the returned function is called. */
  take(): () => void {
    const count = (by: number) => untrack(() => void (taken += by))
    count(1)
    return () => count(-1)
  },
}
