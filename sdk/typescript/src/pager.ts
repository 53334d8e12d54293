/** Lists that are longer than a page. */

import type { Json } from './json.js'
import { count, items, member } from './models/shape.js'
import { read, type Access, type Request } from './requests/base.js'
import type { QueryValue } from './text.js'
import type { Answer } from './wire.js'

/** Where a list is, and how its rows are read. */
export interface Source<Item> {
  readonly path: string
  /** The field of the answer with the rows. */
  readonly key: string
  readonly parameters: Readonly<Record<string, QueryValue>>
  readonly access: Access
  /** Rows of a page. */
  readonly size: number
  readonly send: (request: Request) => Promise<Answer>
  readonly build: (row: Json, answer: Answer) => Item
}

/**
 * A list of the exchange, read page by page while you iterate with `for await`.
 *
 * Lists that grow have a cursor, so no row is skipped or repeated. Others have page numbers: there, a row that moved to
 * the next page in the meantime is still returned once.
 */
export class Pager<Item extends object> implements AsyncIterable<Item> {
  readonly #source: Source<Item>

  constructor(source: Source<Item>) {
    this.#source = source
  }

  /** One page after another. */
  async *pages(): AsyncGenerator<Item[], void, undefined> {
    const { path, key, parameters, access, size, send, build } = this.#source
    const seen = new Set<string>()
    let place: Record<string, QueryValue> = {}
    for (let number = 2; ; number += 1) {
      const answer = await send(read(path, { ...parameters, ...place, size }, access))
      const payload = member(answer.payload, path)
      const rows = items(payload[key], key).map((row) => build(row, answer))
      const cursor = payload['nextCursor']
      const hasCursors = typeof cursor === 'string' || 'after' in place
      yield hasCursors ? rows : unseen(rows, seen)
      // A list with a cursor has none on its last page, whatever its page numbers say.
      if (typeof cursor === 'string') place = { after: cursor }
      else if (!hasCursors && number <= lastPage(payload['pagination'])) place = { page: number }
      else return
    }
  }

  /** The rows, for `for await`. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page
  }

  /** Every row. */
  async all(): Promise<Item[]> {
    const rows: Item[] = []
    for await (const page of this.pages()) rows.push(...page)
    return rows
  }

  /** The first rows, at most `count`, without reading further pages. */
  async first(count: number): Promise<Item[]> {
    const rows: Item[] = []
    if (count < 1) return rows
    // A page costs by its rows.
    const short = new Pager({ ...this.#source, size: Math.min(this.#source.size, count) })
    for await (const row of short) {
      rows.push(row)
      if (rows.length >= count) break
    }
    return rows
  }
}

function lastPage(pagination: Json | undefined): number {
  return pagination === undefined ? 1 : count.read(member(pagination, 'pagination')['lastPage'], 'lastPage')
}

/** The rows that no earlier page had. */
function unseen<Item extends object>(rows: readonly Item[], seen: Set<string>): Item[] {
  const idOf = (row: Item) => ('id' in row && typeof row.id === 'string' ? row.id : undefined)
  return rows.filter((row) => {
    const id = idOf(row)
    if (id === undefined) return true
    const isNew = !seen.has(id)
    seen.add(id)
    return isNew
  })
}
