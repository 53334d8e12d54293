// Suggestions of the search.
import { expect, test } from 'vitest'
import type { Event } from '../../shared/api/types'
import { matches, suggestionsOf } from './suggest'

const event = (id: string, title: string, outcomes: string[], hashtags: string[] = []) =>
  ({ id, slug: id, title, hashtags, markets: outcomes.map((name) => ({ id: `${id}-${name}`, title: name })) }) as unknown as Event

test('words begin words, in any order, in any case and without accents', () => {
  expect(matches('Who wins in São Paulo?', 'paulo SAO')).toBe(true)
  expect(matches('Rain in Lagos', 'ago')).toBe(false)
  expect(matches('Rain', ' ')).toBe(false)
})

test('questions come first, then outcomes, then hashtags, then all of them', () => {
  const events = [event('film', 'Which film is first?', ['Orbit Nine', 'The Long Rains'], ['orbit', 'films'])]
  const found = suggestionsOf(events, 'orb')
  expect(found.map(({ kind, title }) => [kind, title])).toEqual([
    ['question', 'Which film is first?'],
    ['outcome', 'Orbit Nine'],
    ['hashtag', '#orbit'],
    ['all', 'All questions with “orb”'],
  ])
  expect(found[1]).toMatchObject({ of: 'Which film is first?', address: '/events/film?market=film-Orbit Nine&outcome=YES' })
  expect(found.at(-1)?.address).toBe('/?q=orb')
})

test('the only market of a question is no suggestion of its own', () => {
  expect(suggestionsOf([event('rain', 'Rain in Lagos?', ['Rain in Lagos?'])], 'rain').map((one) => one.kind)).toEqual([
    'question',
    'all',
  ])
})
