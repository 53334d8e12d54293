import { expect, test } from 'vitest'
import { byDay, dayOf, moved, weeksOf } from './closings'

test('weeks begin on Monday and are whole', () => {
  const weeks = weeksOf('2030-02')
  expect(weeks.map((week) => week.length)).toEqual([7, 7, 7, 7, 7])
  expect(weeks[0]!.map((day) => day.number)).toEqual([28, 29, 30, 31, 1, 2, 3])
  expect(weeks[0]!.filter((day) => day.inMonth).length).toBe(3)
  expect(weeks.at(-1)!.at(-1)!.key).toBe('2030-03-03')
})

test('months are moved across years', () => {
  expect([moved('2030-01', -1), moved('2030-12', 1), moved('2030-05', 0)]).toEqual(['2029-12', '2031-01', '2030-05'])
})

test('events are by day, in the order in which they close; one without a date is on no day', () => {
  const noon = new Date(2030, 0, 31, 12).toISOString()
  const evening = new Date(2030, 0, 31, 20).toISOString()
  const days = byDay([{ closingDate: evening }, { closingDate: noon }, { closingDate: '' }])
  expect([...days]).toEqual([['2030-01-31', [{ closingDate: noon }, { closingDate: evening }]]])
  expect(dayOf('')).toBeUndefined()
})
