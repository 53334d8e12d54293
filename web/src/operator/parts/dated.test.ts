// The reader's own time zone everywhere, with UTC on hover: no page of the console writes a date by itself.
import { expect, test } from 'vitest'

const components = import.meta.glob<string>(
  ['../**/*.svelte', '../../trader/sports/*.svelte', '../../trader/solvency/*.svelte'],
  { eager: true, query: '?raw', import: 'default' },
)
/** They show a moment, and what it is on hover. */
const SHOWING = ['./Ago.svelte']

test.each(Object.keys(components).filter((path) => !SHOWING.includes(path)))('%s leaves dates to a component', (path) => {
  expect(components[path]).not.toMatch(/\b(moment|shortMoment|day|ago|clock)\(/)
  expect(components[path]).not.toMatch(/\btoLocale(Date|Time)?String\(/)
})
