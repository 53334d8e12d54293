import { expect, test } from 'vitest'
import { newDraft } from './draft'
import { copyOf, readTemplates, withTemplate } from './templates'

const draft = (title: string) => ({ ...newDraft(), title })

test('a copy has no slug, no dates and no markets that exist', () => {
  const whole = { ...draft('Rain?'), slug: 'rain', closingDate: '2035-01-01T00:00', resolutionDate: '2035-01-02T00:00' }
  whole.markets[0]!.marketId = 'x'
  expect(copyOf(whole)).toEqual(draft('Rain?'))
})

test('a template replaces the last one of its name, and the newest twenty stay', () => {
  let list = withTemplate([], { name: 'a', draft: draft('1') })
  list = withTemplate(list, { name: 'b', draft: draft('2') })
  list = withTemplate(list, { name: 'a', draft: draft('3') })
  expect(list.map((one) => [one.name, one.draft.title])).toEqual([
    ['a', '3'],
    ['b', '2'],
  ])
  for (let index = 0; index < 30; index += 1) list = withTemplate(list, { name: String(index), draft: draft('') })
  expect(list.length).toBe(20)
})

test('what is no list of templates is none', () => {
  for (const broken of [null, '', '{}', '[1]', '{', '[{"name":1}]']) expect(readTemplates(broken)).toEqual([])
})
