// Leagues and matches, and the events that hang on a match.
import { answer, api } from '../../shared/api/client'
import type { Event, Game, League } from '../../shared/api/types'
import type { Currency } from '../../shared/numbers/format'
import { readEvents } from '../market/read-events'
import * as texts from '../texts/cards'

export async function readLeagues(): Promise<League[]> {
  return (await answer(api.GET('/v1/pm/sports/leagues'))).leagues
}

export async function readGames(league = '', size = 50): Promise<Game[]> {
  const query = { size, ...(league ? { league } : {}) }
  return (await answer(api.GET('/v1/pm/sports/games', { params: { query } }))).games
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
