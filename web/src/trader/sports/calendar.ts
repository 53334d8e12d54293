// Matches by the days of the reader's calendar. Pure.
import type { Game } from '../../shared/api/types'
import { milliseconds } from '../../shared/numbers/time'
import * as texts from '../texts/sports'

export interface Day {
  /** In play, today, a date, or results. */
  title: string
  games: Game[]
}

type Dated = Pick<Game, 'startDate' | 'status' | 'isLive'>
const isOver = (game: Dated) => game.status === 'FINISHED' || game.status === 'CANCELLED'
const start = (game: Dated) => milliseconds(game.startDate) ?? 0

/** In play first, then what comes, day by day, then results, the newest first. */
export function calendarOf(games: readonly Game[], now: number, locale?: string): Day[] {
  const format = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' })
  const titleOf = (game: Game) => (sameDay(start(game), now) ? texts.today : format.format(start(game)))
  const live = games.filter((game) => game.isLive)
  const coming = games.filter((game) => !game.isLive && !isOver(game)).sort((left, right) => start(left) - start(right))
  const over = games.filter((game) => !game.isLive && isOver(game)).sort((left, right) => start(right) - start(left))
  const days: Day[] = []
  for (const game of coming) {
    const title = titleOf(game)
    const last = days.at(-1)
    if (last?.title === title) last.games.push(game)
    else days.push({ title, games: [game] })
  }
  const others = (title: string, games: Game[]) => (games.length > 0 ? [{ title, games }] : [])
  return [...others(texts.inPlay, live), ...days, ...others(texts.results, over)]
}

function sameDay(one: number, other: number): boolean {
  return new Date(one).toDateString() === new Date(other).toDateString()
}
