// Two lists as one, the second behind the first, read page by page.
import type { At, Part } from './read-all'

type Read<Row> = (at: { page: number; size: number }) => Promise<Part<Row>>

export async function readJoined<Row>(first: Read<Row>, second: Read<Row>, { page = 1, size }: At): Promise<Part<Row>> {
  const from = (page - 1) * size
  const head = await first({ page, size })
  const before = head.pagination.totalCount
  const rows = from < before ? [...head.rows] : []
  // Where the page goes on in the second list, whose own pages begin elsewhere.
  const skipped = Math.max(0, from - before)
  const place = Math.floor(skipped / size) + 1
  const tail = await second({ page: place, size })
  const inTail = tail.pagination.totalCount
  if (skipped < inTail) rows.push(...tail.rows.slice(skipped % size))
  if (rows.length < size && place < tail.pagination.lastPage) rows.push(...(await second({ page: place + 1, size })).rows)
  const totalCount = before + inTail
  const lastPage = Math.max(1, Math.ceil(totalCount / size))
  // Rows went away meanwhile: the last page there is.
  if (page > lastPage) return readJoined(first, second, { page: lastPage, size })
  return { rows: rows.slice(0, size), pagination: { page, size, lastPage, totalCount } }
}
