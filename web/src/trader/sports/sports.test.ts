// Reads of matches.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readResults } from './sports'

let count = 0
const asked: string[] = []

beforeEach(() => {
  asked.length = 0
  vi.stubGlobal('location', { origin: 'http://here' })
  vi.stubGlobal(
    'fetch',
    vi.fn(async (request: Request) => {
      const query = new URL(request.url).searchParams
      asked.push(query.toString())
      const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('size'))]
      const games = Array.from({ length: count }, (_, number) => ({ slug: `game-${number + 1}` }))
      const body = {
        games: games.slice((page - 1) * size, page * size),
        pagination: { page, size, lastPage: Math.max(1, Math.ceil(count / size)), totalCount: count },
      }
      return new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } })
    }),
  )
})
afterEach(() => {
  vi.unstubAllGlobals()
})

test('the latest results are shown, however many there were', async () => {
  for (const [games, first, last] of [
    [3, 'game-1', 'game-3'],
    [30, 'game-1', 'game-30'],
    [31, 'game-2', 'game-31'],
    [125, 'game-96', 'game-125'],
  ] as const) {
    count = games
    const shown = (await readResults('')).map(({ slug }) => slug)
    expect([shown[0], shown.at(-1), shown.length]).toEqual([first, last, Math.min(30, games)])
  }
  expect(asked.every((query) => query.includes('ended=true'))).toBe(true)
})

test('a league narrows the results', async () => {
  count = 1
  await readResults('England - Premier League')
  expect(new URLSearchParams(asked[0]).get('league')).toBe('England - Premier League')
})
