// Comma-separated values (RFC 4180): written so that no spreadsheet runs a cell as a formula, and read with the line of each row.
import * as texts from '../texts/csv'

const NUMBER = /^-?\d+(\.\d+)?$/
/** A spreadsheet takes a cell that begins like this for a formula. */
const FORMULA = /^\s*[=+\-@]|^[\t\r]/
const BYTE_ORDER_MARK = '\uFEFF'

function cell(value: string | number): string {
  const text = String(value)
  const guarded = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded
}

/** A file with a line of names. Numbers are written as they are. */
export function csvOf(columns: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return BYTE_ORDER_MARK + [columns, ...rows].map((row) => row.map(cell).join(',') + '\r\n').join('')
}

export interface CsvRow {
  /** Where it begins in the file, counted from 1. */
  line: number
  cells: string[]
}

/** The rows of a file, blank lines left out. Throws if a quote is never closed. */
export function parseCsv(file: string): CsvRow[] {
  const text = file.replace(BYTE_ORDER_MARK, '')
  const rows: CsvRow[] = []
  let [row, value, line, quoted]: [CsvRow, string, number, boolean] = [{ line: 1, cells: [] }, '', 1, false]
  const endRow = () => {
    row.cells.push(value)
    if (row.cells.some((one) => one !== '')) rows.push(row)
    row = { line, cells: [] }
    value = ''
  }
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]!
    if (sign === '\n') line += 1
    if (quoted) {
      if (sign !== '"') value += sign
      else if (text[at + 1] === '"') {
        value += '"'
        at += 1
      } else quoted = false
    } else if (sign === '"' && value === '') quoted = true
    else if (sign === ',') {
      row.cells.push(value)
      value = ''
    } else if (sign === '\n') endRow()
    else if (sign !== '\r') value += sign
  }
  if (quoted) throw new Error(texts.aQuotationMark(row.line))
  if (value !== '' || row.cells.length > 0) endRow()
  return rows
}
