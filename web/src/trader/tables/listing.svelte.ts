// A list that is paged, sorted and exported. In the exchange's own order it is read page by page; in any other order all of it
// is read first, so that the first page really has the largest.
import { asFailure } from '../../shared/api/failure'
import { csvOf } from '../../shared/csv/csv'
import { download } from '../../shared/csv/download'
import { Resource } from '../../shared/state/resource.svelte'
import { toasts } from '../../shared/state/toasts.svelte'
import * as texts from '../texts/tables'
import { type At, type Part, type Progress, readAll } from './read-all'
import { pageOf, type Sort, sorted } from './sorting'

const SIZE = 20
const SORTED_ROWS_MAX = 5000

export interface Csv<Row> {
  /** Of the file. */
  name: string
  columns: string[]
  of: (row: Row) => (string | number)[]
  /** Reads what the cells need besides the rows, such as titles. */
  prepare?: (rows: Row[]) => Promise<unknown>
}

interface Options<Row> {
  read: (at: At) => Promise<Part<Row>>
  sorts: Record<string, Sort<Row>>
  csv: Csv<Row>
  /** For rows of a page: reads what they show besides themselves. */
  seen?: (rows: Row[]) => void
}

export class Listing<Row extends { id: string }> extends Resource<Part<Row>> {
  readonly sorts: Record<string, Sort<Row>>
  /** A name in `sorts`; empty for the exchange's own order. */
  sort = $state('')
  /** Of an export or of reading everything for another order. */
  progress = $state.raw<Progress | undefined>()
  private readonly options: Options<Row>
  private all: Row[] | undefined
  private page = 1
  private stop: AbortController | undefined

  constructor(options: Options<Row>) {
    super()
    this.options = options
    this.sorts = options.sorts
  }

  go(page = this.page): void {
    this.page = page
    void this.load(async () => {
      const part = this.sort ? pageOf(await this.inOrder(), page, SIZE) : await this.options.read({ page, size: SIZE })
      this.options.seen?.(part.rows)
      return part
    })
  }

  /** Another filter or another order: from the first page, read anew. */
  begin(): void {
    this.cancel()
    this.all = undefined
    this.go(1)
  }

  /** Reads this page again, because its rows have changed. */
  renew(): void {
    this.all = undefined
    this.go()
  }

  cancel(): void {
    this.stop?.abort()
  }

  /** The reader waits no longer: without all rows there is only the exchange's own order. */
  giveUp(): void {
    this.cancel()
    if (!this.all) this.sort = ''
  }

  async export(): Promise<void> {
    const { csv } = this.options
    try {
      const rows = this.sort ? await this.inOrder() : await this.whole(Infinity)
      await csv.prepare?.(rows)
      download(csv.name, csvOf(csv.columns, rows.map(csv.of)))
      toasts.good(texts.rowsExported(rows.length), csv.name)
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return
      toasts.bad(texts.theListWasNotExported, asFailure(error).message)
    }
  }

  private async inOrder(): Promise<Row[]> {
    const order = this.sorts[this.sort]
    this.all ??= await this.whole(SORTED_ROWS_MAX)
    return order ? sorted(this.all, order) : this.all
  }

  private async whole(most: number): Promise<Row[]> {
    const stop = (this.stop = new AbortController())
    try {
      return await readAll(this.options.read, (progress) => (this.progress = progress), { most, signal: stop.signal })
    } finally {
      if (this.stop === stop) this.progress = undefined
    }
  }
}
