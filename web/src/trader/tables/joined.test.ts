// Pages of two lists as one.
import { expect, it } from 'vitest'
import { readJoined } from './joined'
import { pageOf } from './sorting'

const list = (name: string, count: number) => {
  const rows = Array.from({ length: count }, (_, index) => `${name}${index}`)
  return async ({ page, size }: { page: number; size: number }) => {
    // Behind the last page there is nothing.
    const part = pageOf(rows, page, size)
    return page > part.pagination.lastPage ? { ...part, rows: [] } : part
  }
}

it('has every row once, whatever the lengths', async () => {
  for (const [first, second] of [[0, 0], [0, 7], [3, 0], [3, 4], [4, 4], [9, 11], [13, 2]] as const) {
    const wanted = [
      ...Array.from({ length: first }, (_, index) => `a${index}`),
      ...Array.from({ length: second }, (_, index) => `b${index}`),
    ]
    const found: string[] = []
    let pages = 1
    for (let page = 1; page <= pages; page += 1) {
      const part = await readJoined(list('a', first), list('b', second), { page, size: 4 })
      expect([part.pagination.page, part.pagination.totalCount]).toEqual([page, first + second])
      pages = part.pagination.lastPage
      found.push(...part.rows)
    }
    expect(found).toEqual(wanted)
  }
})

it('answers the last page if the wanted page is gone', async () => {
  const part = await readJoined(list('a', 3), list('b', 3), { page: 9, size: 4 })
  expect([part.rows, part.pagination.page]).toEqual([['b1', 'b2'], 2])
})
