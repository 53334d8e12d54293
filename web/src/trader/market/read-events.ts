// Pages of the list of events.
import { answer, api } from '../../shared/api/client'
import { listQuery, type Wanted } from './queries'

const read = (query: ReturnType<typeof listQuery>) => answer(api.GET('/v1/pm/events', { params: { query } }))
const reading = new Map<string, ReturnType<typeof read>>()

/** Two parts of a page that want one list at the same time share its answer. */
export function readEvents(wanted: Wanted, page: number, size: number): ReturnType<typeof read> {
  const query = listQuery(wanted, page, size)
  const key = JSON.stringify(query)
  const running = reading.get(key)
  if (running) return running
  const answered = read(query).finally(() => reading.delete(key))
  reading.set(key, answered)
  return answered
}
