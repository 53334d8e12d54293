// Titles of series in the reader's own time.
import { expect, it } from 'vitest'
import { clockOf, dayOf } from '../../shared/numbers/time'
import { shownTitle } from './series-title'

const at = (text: string) => Date.parse(text)

it('shows the span of a series in the own time zone', () => {
  const [from, to] = [at('2026-01-01T12:15Z'), at('2026-01-01T12:30Z')]
  const title = 'Bitcoin: up or down, 2026-01-01 12:15 to 2026-01-01 12:30 UTC'
  expect(shownTitle(title, from)).toBe(`Bitcoin up or down · ${clockOf(from)}–${clockOf(to)}`)
  expect(shownTitle(title, at('2026-03-01T12:00Z'))).toBe(`Bitcoin up or down · ${dayOf(from)} ${clockOf(from)}–${clockOf(to)}`)
})

it('names both days of a span over several', () => {
  const [from, to] = [at('2026-01-01T12:00Z'), at('2026-01-02T12:00Z')]
  expect(shownTitle('Ether: up or down, 2026-01-01 12:00 to 2026-01-02 12:00 UTC', from)).toBe(
    `Ether up or down · ${dayOf(from)} ${clockOf(from)}–${dayOf(to)} ${clockOf(to)}`,
  )
})

it('leaves every other title as it is', () => {
  for (const title of ['Rain in Lagos?', 'Bitcoin: up or down, soon', '']) expect(shownTitle(title)).toBe(title)
})
