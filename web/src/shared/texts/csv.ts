// Texts of shared/texts/csv.
import type { Value } from './language'

// csv/csv
export const aQuotationMark = (line: Value) => `A quotation mark in the row of line ${line} is never closed.`
