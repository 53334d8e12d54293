// All texts of the console as one type, for translators. A page imports the file of its own area: this file holds types only, so
// that it adds nothing to any page.
import type { Translated } from '../../shared/texts/language'

export interface Texts {
  audit: typeof import('./audit')
  commands: typeof import('./commands')
  events: typeof import('./events')
  layout: typeof import('./layout')
  news: typeof import('./news')
  operators: typeof import('./operators')
  overview: typeof import('./overview')
  parts: typeof import('./parts')
  proposals: typeof import('./proposals')
  refusals: typeof import('./refusals')
  resets: typeof import('./resets')
  series: typeof import('./series')
  session: typeof import('./session')
  solvency: typeof import('./solvency')
  sports: typeof import('./sports')
  statistics: typeof import('./statistics')
  users: typeof import('./users')
  words: typeof import('./words')
}

/** A translation has each text, with the same values in it. */
export type Translation = { [Area in keyof Texts]: Translated<Texts[Area]> }
