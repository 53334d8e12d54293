// Texts of CSV files. README.md, "Texts", says how to add one.
import type { Value } from './language'

// csv/csv
export const aQuotationMark = (line: Value) => `A quotation mark in the row of line ${line} is never closed.`
