// Texts of the audit log. README.md, "Texts", says how to add one.
import type { Value } from '../../shared/texts/language'

// AuditPage
export const operator = 'Operator'
export const user = 'User'
export const event = 'Event'
export const market = 'Market'
export const nameOrId = 'Name or id'
export const tagOrId = 'Tag or id'
export const slugOrId = 'Slug or id'
export const idOrSlugExample = 'Id, slug or slug:2'
export const auditLog = 'Audit log'
export const everyRequestOfEveryOperator =
  'Every request of every operator, refused ones included, and what the exchange did in their place.'
export const theAuditLog = 'The audit log'
export const noEntries = 'No entries'
export const nothingMatchesWhatYouAsked = 'Nothing matches what you asked for.'
export const when = 'When'
export const who = 'Who'
export const what = 'What'
export const about = 'About'
export const from = 'From'
export const to = 'To'
export const filter = 'Filter'
export const clear = 'Clear'
export const refused = (sentence: Value) => `refused: ${sentence}`
export const theExchange = 'The exchange'
export const anUnknownOperator = 'an unknown operator'
export const pagesOfTheAuditLog = 'Pages of the audit log'
export const newer = 'Newer'
export const page = (value: Value) => `Page ${value}`
export const older = 'Older'
