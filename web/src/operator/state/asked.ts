// What the address asks of a list: words to look for, and the page.
import { router } from '../../shared/router/router.svelte'

export const asked = {
  get words(): string {
    return router.query.get('q') ?? ''
  },
  get page(): number {
    return Math.max(1, Number(router.query.get('page')) || 1)
  },
}

/** The page of a list that an answer holds. */
export interface Pagination {
  page: number
  lastPage: number
  totalCount: number
}
