// Drafts that an operator keeps in this browser to begin new ones from.
import type { EventDraft } from './draft'

const KEY = 'bellwether.event-templates'
const TEMPLATES_MAX = 20

export interface Template {
  name: string
  draft: EventDraft
}

/** What is not worth repeating: a slug names one event, and dates pass. */
export function copyOf(draft: EventDraft): EventDraft {
  return {
    ...draft,
    slug: '',
    closingDate: '',
    resolutionDate: '',
    markets: draft.markets.map((market) => ({ ...market, marketId: '' })),
  }
}

/** A template of a name takes the place of the last one with it; the newest are kept. */
export function withTemplate(list: readonly Template[], template: Template): Template[] {
  return [template, ...list.filter((one) => one.name !== template.name)].slice(0, TEMPLATES_MAX)
}

export function readTemplates(kept = localStorage.getItem(KEY)): Template[] {
  try {
    const list = JSON.parse(kept ?? '[]')
    return Array.isArray(list) ? list.filter((one) => typeof one?.name === 'string' && Array.isArray(one.draft?.markets)) : []
  } catch {
    return []
  }
}

export function keepTemplates(list: readonly Template[]): void {
  localStorage.setItem(KEY, JSON.stringify(list))
}
