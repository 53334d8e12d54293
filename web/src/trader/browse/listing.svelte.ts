// The list of events for what was asked: one page after the other, appended.
import type { Event } from '../../shared/api/types'
import { Resource } from '../../shared/state/resource.svelte'
import { LISTED, type Wanted } from '../market/queries'
import { readEvents } from '../market/read-events'

export class Listing extends Resource<Event[]> {
  total = $state(0)
  private page = 1
  private wanted: Wanted | undefined
  private whole: ((wanted: Wanted) => Promise<Event[]>) | undefined

  get more(): boolean {
    return (this.value?.length ?? 0) < this.total
  }

  /** With `whole`, the list is read at once, in another order than the exchange's. */
  show(wanted: Wanted, whole?: (wanted: Wanted) => Promise<Event[]>): void {
    this.wanted = wanted
    this.whole = whole
    this.page = 1
    void this.load(() => this.read(1)).then(() => {
      // The last question's answer must not stand under this one.
      if (this.failure && this.wanted === wanted) this.value = undefined
    })
  }

  next(): void {
    const shown = this.value ?? []
    void this.load(async () => {
      const read = await this.read(this.page + 1)
      this.page += 1
      // The list may have moved on since the last page: nothing is shown twice.
      const known = new Set(shown.map((event) => event.id))
      return [...shown, ...read.filter((event) => !known.has(event.id))]
    })
  }

  retry(): void {
    if (this.wanted) this.show(this.wanted, this.whole)
  }

  private async read(page: number): Promise<Event[]> {
    if (this.whole) {
      const events = await this.whole(this.wanted!)
      this.total = events.length
      return events
    }
    const answered = await readEvents(this.wanted!, page, LISTED)
    this.total = answered.pagination.totalCount
    return answered.events
  }
}
