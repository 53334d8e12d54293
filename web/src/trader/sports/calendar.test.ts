// Matches by day.
import { expect, test } from 'vitest'
import type { Game } from '../../shared/api/types'
import { calendarOf } from './calendar'

const now = new Date(2026, 4, 20, 12).getTime()
const game = (id: string, at: Date, status: string) =>
  ({ id, startDate: at.toISOString(), status, isLive: status === 'LIVE' }) as unknown as Game

test('what is in play comes first, then the days to come, then results, the newest first', () => {
  const games = [
    game('old', new Date(2026, 4, 1, 15), 'FINISHED'),
    game('later', new Date(2026, 4, 23, 20), 'UNPLAYED'),
    game('today', new Date(2026, 4, 20, 18), 'UNPLAYED'),
    game('on', new Date(2026, 4, 20, 11), 'LIVE'),
    game('also', new Date(2026, 4, 23, 15), 'POSTPONED'),
    game('new', new Date(2026, 4, 19, 15), 'FINISHED'),
  ]
  const days = calendarOf(games, now, 'en-GB').map((day) => [day.title, day.games.map((one) => one.id)])
  expect(days).toEqual([
    ['In play', ['on']],
    ['Today', ['today']],
    ['Saturday 23 May', ['also', 'later']],
    ['Results', ['new', 'old']],
  ])
})
