// The reads of events as path and parameters. The first code of a page sends them too, so this file imports no values.
import type { Status } from '../../shared/api/types'
import type { Currency } from '../../shared/numbers/format'

const IDENTIFIER = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export interface Wanted {
  /** A search in titles, descriptions, outcomes and hashtags. */
  words: string
  category: string
  status: Status | ''
  trending: boolean
  /** In place of the order by status and age, and of `trending`. */
  order?: 'closing' | 'volume'
  watchlist: boolean
  seriesSlug?: string
  sportGameSlug?: string
  currency: Currency
}

/** What the landing page lists first. */
export const mostTraded = (currency: Currency): Wanted => ({
  ...{ words: '', category: '', status: 'open', trending: true, watchlist: false },
  currency,
})

/** The questions of one step of a list. */
export const LISTED = 24

export function listQuery(wanted: Wanted, page: number, size: number) {
  return {
    currency: wanted.currency,
    page,
    size,
    ...(wanted.words ? { q: wanted.words } : {}),
    ...(wanted.category ? { category: wanted.category } : {}),
    ...(wanted.status ? { status: wanted.status } : {}),
    ...(wanted.trending ? { trending: true } : {}),
    ...(wanted.order ? { order: wanted.order } : {}),
    ...(wanted.watchlist ? { watchlist: true } : {}),
    ...(wanted.seriesSlug ? { seriesSlug: wanted.seriesSlug } : {}),
    ...(wanted.sportGameSlug ? { sportGameSlug: wanted.sportGameSlug } : {}),
  }
}

/** Positions and orders know their event by its id, so that leads to it as its slug does. */
export function isIdentifier(slug: string): boolean {
  return IDENTIFIER.test(slug)
}
