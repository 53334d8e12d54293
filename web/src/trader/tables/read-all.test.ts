import { expect, test } from 'vitest'
import { type At, readAll } from './read-all'

const rows = Array.from({ length: 250 }, (_, index) => ({ id: String(index) }))
const pagination = { page: 1, size: 100, lastPage: 3, totalCount: rows.length }

test('pages are read to the last, with progress', async () => {
  const seen: number[] = []
  const read = async ({ page = 1, size }: At) => ({ rows: rows.slice((page - 1) * size, page * size), pagination })
  expect(await readAll(read, ({ done }) => seen.push(done))).toEqual(rows)
  expect(seen).toEqual([100, 200, 250])
})

test('a list with cursors is read by them', async () => {
  const asked: (string | undefined)[] = []
  const read = async ({ after, size }: At) => {
    asked.push(after)
    const from = Number(after ?? 0)
    const nextCursor = from + size < rows.length ? String(from + size) : undefined
    return { rows: rows.slice(from, from + size), pagination, nextCursor }
  }
  expect(await readAll(read)).toEqual(rows)
  expect(asked).toEqual([undefined, '100', '200'])
})

test('a row that moved to the next page counts once', async () => {
  const read = async ({ page = 1 }: At) => ({
    rows: page === 1 ? rows.slice(0, 100) : rows.slice(99, 150),
    pagination: { ...pagination, lastPage: 2 },
  })
  expect((await readAll(read)).length).toBe(150)
})

test('more rows than can be used are refused after the first page', async () => {
  let pages = 0
  const read = async () => ((pages += 1), { rows: rows.slice(0, 100), pagination })
  await expect(readAll(read, undefined, { most: 200 })).rejects.toThrow('at most 200')
  expect(pages).toBe(1)
})

test('a stopped read ends', async () => {
  const stop = new AbortController()
  const read = async () => (stop.abort(), { rows, pagination })
  await expect(readAll(read, undefined, { signal: stop.signal })).rejects.toThrow()
})
