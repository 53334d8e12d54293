// All events of a state, page by page.
import { answer } from '../../shared/api/client'
import { admin } from '../api/client'
import type { EventRow, Status } from '../api/types'

const SIZE = 100

export async function readEvents(status: Status): Promise<EventRow[]> {
  const read = (page: number) => answer(admin.GET('/admin/v1/events', { params: { query: { status, page, size: SIZE } } }))
  const first = await read(1)
  const rows = [...first.events]
  for (let page = 2; page <= first.pagination.lastPage; page += 1) rows.push(...(await read(page)).events)
  return rows
}
