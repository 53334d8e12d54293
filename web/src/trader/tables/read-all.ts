// All pages of a list, one after the other.
import type { Pagination } from '../../shared/api/types'
import * as texts from '../texts/tables'

export interface At {
  size: number
  page?: number
  /** Behind the row that this cursor names; then the page does not matter. */
  after?: string
}

export interface Part<Row> {
  rows: Row[]
  pagination: Pagination
  nextCursor?: string | undefined
}

export interface Progress {
  done: number
  total: number
}

const SIZE = 100

/**
 * Reads on by cursor where the list has one, and by page elsewhere. A row that moved to the next page while it was read counts
 * once. `most`: how many rows the caller can use; more are an error before the second page is read.
 */
export async function readAll<Row extends { id: string }>(
  read: (at: At) => Promise<Part<Row>>,
  report: (progress: Progress) => void = () => undefined,
  { most = Infinity, signal }: { most?: number; signal?: AbortSignal } = {},
): Promise<Row[]> {
  const found = new Map<string, Row>()
  let at: At = { size: SIZE, page: 1 }
  for (let page = 1; ; page += 1) {
    const { rows, pagination, nextCursor } = await read(at)
    signal?.throwIfAborted()
    if (pagination.totalCount > most) throw new Error(texts.narrowTheListFirst(most))
    for (const row of rows) found.set(row.id, row)
    report({ done: found.size, total: Math.max(found.size, pagination.totalCount) })
    if (nextCursor) at = { size: SIZE, after: nextCursor }
    else if (!at.after && page < pagination.lastPage && rows.length > 0) at = { size: SIZE, page: page + 1 }
    else return [...found.values()]
  }
}
