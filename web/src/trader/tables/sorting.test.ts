import { expect, test } from 'vitest'
import { pageOf, sorted } from './sorting'

const rows = [3n, 1n, 20n].map((value) => ({ value, title: `t${value}` }))

test('numbers are sorted as numbers, texts as texts, either way', () => {
  const values = (down: boolean) => sorted(rows, { label: '', of: (row) => row.value, down }).map((row) => row.value)
  expect([values(false), values(true)]).toEqual([
    [1n, 3n, 20n],
    [20n, 3n, 1n],
  ])
  expect(sorted(rows, { label: '', of: (row) => row.title }).map((row) => row.title)).toEqual(['t1', 't20', 't3'])
})

test('equal rows keep their order', () => {
  expect(sorted(rows, { label: '', of: () => 0n, down: true })).toEqual(rows)
})

test('a page behind the last is the last', () => {
  expect(pageOf(rows, 9, 2)).toEqual({
    rows: rows.slice(2),
    pagination: { page: 2, size: 2, lastPage: 2, totalCount: 3 },
  })
  expect(pageOf([], 1, 2).pagination).toEqual({ page: 1, size: 2, lastPage: 1, totalCount: 0 })
})
