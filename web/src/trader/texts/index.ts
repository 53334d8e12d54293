// All texts of the traders' page as one type, for translators. A page imports the file of its own area: this file holds types only, so
// that it adds nothing to any page.
import type { Translated } from '../../shared/texts/language'

export interface Texts {
  account: typeof import('./account')
  browse: typeof import('./browse')
  cards: typeof import('./cards')
  chart: typeof import('./chart')
  event: typeof import('./event')
  eventHead: typeof import('./event-head')
  help: typeof import('./help')
  ladder: typeof import('./ladder')
  layout: typeof import('./layout')
  login: typeof import('./login')
  market: typeof import('./market')
  notifications: typeof import('./notifications')
  password: typeof import('./password')
  portfolio: typeof import('./portfolio')
  search: typeof import('./search')
  series: typeof import('./series')
  session: typeof import('./session')
  sets: typeof import('./sets')
  solvency: typeof import('./solvency')
  sports: typeof import('./sports')
  tables: typeof import('./tables')
  ticket: typeof import('./ticket')
}

/** A translation has each text, with the same values in it. */
export type Translation = { [Area in keyof Texts]: Translated<Texts[Area]> }
