// The order of rows that are all here. Pure.

export interface Sort<Row> {
  label: string
  of: (row: Row) => bigint | string
  /** The largest first. */
  down?: boolean
}

export function sorted<Row>(rows: readonly Row[], sort: Sort<Row>): Row[] {
  const sign = sort.down ? -1 : 1
  return rows
    .map((row) => ({ row, value: sort.of(row) }))
    .sort((left, right) => sign * compare(left.value, right.value))
    .map(({ row }) => row)
}

function compare(left: bigint | string, right: bigint | string): number {
  if (typeof left === 'string' && typeof right === 'string') return left.localeCompare(right)
  return left < right ? -1 : left > right ? 1 : 0
}

/** One page of rows, and where it stands. A page behind the last is the last. */
export function pageOf<Row>(rows: readonly Row[], wanted: number, size: number) {
  const lastPage = Math.max(1, Math.ceil(rows.length / size))
  const page = Math.min(Math.max(1, wanted), lastPage)
  return { rows: rows.slice((page - 1) * size, page * size), pagination: { page, size, lastPage, totalCount: rows.length } }
}
