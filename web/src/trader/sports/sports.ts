// Leagues and matches, and the events that hang on a match.
import { answer, api } from '../../shared/api/client'
import type { Event, Game, League } from '../../shared/api/types'
import type { Currency } from '../../shared/numbers/format'
import { readEvents } from '../market/read-events'
import * as texts from '../texts/cards'

export async function readLeagues(): Promise<League[]> {
  return (await answer(api.GET('/v1/pm/sports/leagues'))).leagues
}

/** Results that the calendar shows. */
const RESULTS = 30

interface Games {
  league?: string
  slug?: string
  ended?: boolean
  page?: number
  size?: number
}

const askGames = (query: Games) => answer(api.GET('/v1/pm/sports/games', { params: { query } }))

/** Matches that are live or still to come, the next one first. */
export async function readFixtures(league: string, size: number): Promise<Game[]> {
  return (await askGames({ ended: false, size, ...(league ? { league } : {}) })).games
}

/** The latest results, the oldest of them first. The exchange lists all from the oldest on, so they are at the end. */
export async function readResults(league: string): Promise<Game[]> {
  const query = { ended: true, size: RESULTS, ...(league ? { league } : {}) }
  const { games, pagination } = await askGames(query)
  if (pagination.lastPage <= 1) return games
  const pages = [pagination.lastPage - 1, pagination.lastPage]
  const read = await Promise.all(pages.map(async (page) => (await askGames({ ...query, page })).games))
  return read.flat().slice(-RESULTS)
}

/** The match with this slug, if there is one. */
export async function readGame(slug: string): Promise<Game[]> {
  return (await askGames({ slug })).games
}

export async function readMatchEvents(sportGameSlug: string, currency: Currency): Promise<Event[]> {
  const all = { words: '', category: '', status: '' as const, trending: false, watchlist: false }
  return (await readEvents({ ...all, sportGameSlug, currency }, 1, 50)).events
}

/** What each kind of event on a match asks. */
export const MARKET_TYPE: Record<string, string> = {
  TEAM_H2H_3WAY: texts.whoWins,
  GOAL_SPREAD: texts.byHowMuch,
  TOTAL_GOALS: texts.howManyGoals,
}

/** The events of a match in the order of the list above. */
export function inMarketOrder(events: readonly Event[]): Event[] {
  const order = Object.keys(MARKET_TYPE)
  const place = (event: Event) => order.indexOf(event.sportMarketType ?? '')
  return [...events].sort((left, right) => place(left) - place(right))
}
