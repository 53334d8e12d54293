// What a search offers while it is typed: questions, outcomes and hashtags. Pure.
import type { Event } from '../../shared/api/types'
import { shownTitle } from '../market/series-title'
import * as texts from '../texts/search'

export interface Suggestion {
  kind: 'question' | 'outcome' | 'hashtag' | 'all'
  id: string
  title: string
  /** The question that an outcome belongs to. */
  of?: string
  address: string
  event?: Event
}

type Found = Pick<Event, 'id' | 'slug' | 'title' | 'markets' | 'hashtags'>
const [QUESTIONS_MAX, OUTCOMES_MAX, HASHTAGS_MAX] = [6, 3, 3]

/** Lower case, without the accents that people leave out. */
export function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

const wordsOf = (text: string) => plain(text).split(/[^\p{L}\p{N}]+/u).filter(Boolean)

/** Whether every typed word begins a word of the text. */
export function matches(text: string, typed: string): boolean {
  const [words, wanted] = [wordsOf(text), wordsOf(typed)]
  return wanted.length > 0 && wanted.every((one) => words.some((word) => word.startsWith(one)))
}

export const searchAddress = (words: string) => `/?q=${encodeURIComponent(words)}`

export function suggestionsOf(events: readonly Found[], typed: string): Suggestion[] {
  const address = (event: Found) => `/events/${encodeURIComponent(event.slug)}`
  const questions = events.slice(0, QUESTIONS_MAX).map((event) => ({
    kind: 'question' as const,
    id: event.id,
    title: shownTitle(event.title),
    address: address(event),
    event: event as Event,
  }))
  const outcomes = events.flatMap((event) =>
    event.markets.length < 2
      ? []
      : event.markets
          .filter((market) => matches(market.title, typed))
          .map((market) => ({
            kind: 'outcome' as const,
            id: market.id,
            title: market.title,
            of: shownTitle(event.title),
            address: `${address(event)}?market=${market.id}&outcome=YES`,
          })),
  )
  const tags = [...new Set(events.flatMap((event) => event.hashtags))].filter((tag) => matches(tag, typed))
  const hashtags = tags.slice(0, HASHTAGS_MAX).map((tag) => ({
    kind: 'hashtag' as const,
    id: `#${tag}`,
    title: `#${tag.replace(/^#/, '')}`,
    address: searchAddress(tag.replace(/^#/, '')),
  }))
  const all = { kind: 'all' as const, id: 'all', title: texts.allQuestionsWith(typed.trim()), address: searchAddress(typed.trim()) }
  return [...questions, ...outcomes.slice(0, OUTCOMES_MAX), ...hashtags, all]
}
