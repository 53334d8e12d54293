// The list of events for what was asked: one page after the other, appended.
import { answer, api } from '../../shared/api/client'
import type { Event, Status } from '../../shared/api/types'
import type { Currency } from '../../shared/numbers/format'
import { Resource } from '../../shared/state/resource.svelte'

export interface Wanted {
  /** A search in titles, descriptions, outcomes and hashtags. */
  words: string
  category: string
  status: Status | ''
  trending: boolean
  watchlist: boolean
  seriesSlug?: string
  sportGameSlug?: string
  currency: Currency
}

export async function readEvents(wanted: Wanted, page: number, size: number) {
  return answer(
    api.GET('/v1/pm/events', {
      params: {
        query: {
          currency: wanted.currency,
          page,
          size,
          ...(wanted.words ? { q: wanted.words } : {}),
          ...(wanted.category ? { category: wanted.category } : {}),
          ...(wanted.status ? { status: wanted.status } : {}),
          ...(wanted.trending ? { trending: true } : {}),
          ...(wanted.watchlist ? { watchlist: true } : {}),
          ...(wanted.seriesSlug ? { seriesSlug: wanted.seriesSlug } : {}),
          ...(wanted.sportGameSlug ? { sportGameSlug: wanted.sportGameSlug } : {}),
        },
      },
    }),
  )
}

const SIZE = 24

export class Listing extends Resource<Event[]> {
  total = $state(0)
  private page = 1
  private wanted: Wanted | undefined

  get more(): boolean {
    return (this.value?.length ?? 0) < this.total
  }

  show(wanted: Wanted): void {
    this.wanted = wanted
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
    if (this.wanted) this.show(this.wanted)
  }

  private async read(page: number): Promise<Event[]> {
    const answered = await readEvents(this.wanted!, page, SIZE)
    this.total = answered.pagination.totalCount
    return answered.events
  }
}
