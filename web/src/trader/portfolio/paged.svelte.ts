// A list of the past, page by page.
import type { Pagination } from '../../shared/api/types'
import { Resource } from '../../shared/state/resource.svelte'

export class Paged<Row> extends Resource<{ rows: Row[]; pagination: Pagination }> {
  private readonly read: (page: number) => Promise<{ rows: Row[]; pagination: Pagination }>
  private page = 1

  constructor(read: (page: number) => Promise<{ rows: Row[]; pagination: Pagination }>) {
    super()
    this.read = read
  }

  go(page = this.page): void {
    this.page = page
    void this.load(() => this.read(page))
  }
}
