// Pages of the list of events.
import { answer, api } from '../../shared/api/client'
import type { Status } from '../../shared/api/types'
import type { Currency } from '../../shared/numbers/format'

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
