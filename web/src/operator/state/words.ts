// Words of the API as people say them.
import { lazily } from '../../shared/lazily'
import { LANGUAGE } from '../../shared/texts/language'
import { authors, commands, proposals } from '../texts/commands'
import * as texts from '../texts/words'

const INTERVALS: Record<string, string> = {
  FIVE_MINUTE: texts.every5Minutes,
  FIFTEEN_MINUTE: texts.every15Minutes,
  HOURLY: texts.hourly,
  SIX_HOURLY: texts.every6Hours,
  DAILY: texts.daily,
}
const ALERTS: Record<string, string> = {
  stale_price: texts.noFreshPrice,
  house_short: texts.theHouseWasShort,
  missed: texts.theExchangeWasDown,
  name_taken: texts.itsNameWasTaken,
  sources_disagree: texts.theSourcesDisagreed,
  over_cap: texts.theSeedIsOverTheCap,
}
const PROPOSALS: Record<string, string> = {
  resolution: texts.howAnEventEnds,
  game_result: texts.resultOfAGame,
}
export const intervalWords = (interval: string) => INTERVALS[interval] ?? interval
export const alertWords = (reason: string) => ALERTS[reason] ?? reason
/** A command by its name in the audit log. */
export const commandWords = (action: string) => commands[action] ?? sentence(action)
export const proposedWords = (action: string) => proposals[action] ?? commandWords(action)
export const proposalWords = ({ type, action }: { type: string; action?: string | null }) =>
  type === 'command' && action ? proposedWords(action) : (PROPOSALS[type] ?? type)
/** exchange, approver: who gave a command. */
export const authorWords = (role: string) => authors[role] ?? role
export const ENGINES = [
  { value: 'CLOB', label: texts.orderBook },
  { value: 'AMM', label: texts.pool },
] as const
export const engineWords = (engine: string) => (engine === 'AMM' ? texts.pool : texts.orderBook)
const TYPES: Record<string, string> = { single: texts.single, combined: texts.combined, grouped: texts.grouped }
export const typeWords = (type: string) => TYPES[type] ?? sentence(type)
/** credit_wallet → Credit wallet. */
export const sentence = (word: string) =>
  word.charAt(0).toUpperCase() + word.slice(1).replaceAll('_', ' ').toLowerCase()

const lists = lazily(() => new Intl.ListFormat(LANGUAGE))
/** USD and NGN; ann, bo, and cy. */
export const listed = (items: readonly string[]) => lists().format(items)

/** What a name in an address may have: lowercase letters, digits, hyphens. */
export function slugOf(title: string): string {
  const plain = title
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
  return plain
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 80)
    .replace(/-$/, '')
}

/** 90 → 1m 30s, 86400 → 1d. */
export function spanWords(seconds: number): string {
  const parts: [number, (count: number) => string][] = [
    [86_400, texts.days],
    [3600, texts.hours],
    [60, texts.minutes],
    [1, texts.seconds],
  ]
  let left = seconds
  const said = []
  for (const [size, words] of parts) {
    if (left >= size) said.push(words(Math.floor(left / size)))
    left %= size
  }
  return said.slice(0, 2).join(' ') || texts.noTime
}
