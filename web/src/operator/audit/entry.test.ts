import { expect, test } from 'vitest'
import refusal from '../../../../crates/server/src/view/refusal.rs?raw'
import { refusals } from '../texts/refusals'
import { refusalWords, summaryWords } from './entry'

const HALL = '0198c0de-0000-7000-8000-00000000000a'

test('a summary has titles in place of ids', () => {
  const verdict = { action: 'propose', summary: `hall: ${HALL} YES (seen)` }
  expect(summaryWords(verdict, (id) => (id === HALL ? 'Open on Sunday' : undefined))).toBe('hall: Open on Sunday YES (seen)')
  expect(summaryWords(verdict, () => undefined)).toBe('hall: … YES (seen)')
})

test('a proposed command is named in words', () => {
  const none = () => undefined
  expect(summaryWords({ action: 'propose', summary: 'credit_wallet: ada: 5.00 USD' }, none)).toBe('Credit: ada: 5.00 USD')
  expect(summaryWords({ action: 'propose', summary: 'freeze_user: ada released' }, none)).toBe('End of a freeze: ada released')
  expect(summaryWords({ action: 'finalise', summary: 'grow_pool: hall: 5.00 USD' }, none)).toBe('Grow a pool: hall: 5.00 USD')
  expect(summaryWords({ action: 'withdraw', summary: 'set_policy: a mistake' }, none)).toBe('Change of the policy: a mistake')
  // Slugs have hyphens, and other entries say in their own column what they are.
  expect(summaryWords({ action: 'propose', summary: 'town-hall: called off' }, none)).toBe('town-hall: called off')
  expect(summaryWords({ action: 'edit_event', summary: 'hall' }, none)).toBe('hall')
})

test('every refusal of the exchange has a word, and every word a refusal', () => {
  const named = [...refusal.matchAll(/\b(?:bad|missing|forbidden|unauthorized)\(\s*"(\w+)"|word: "(\w+)"/g)].map(
    ([, first, second]) => first ?? second!,
  )
  // Those after `closed_reason` in the table, and the two that have a code of their own.
  const table = refusal.slice(refusal.indexOf('refusals! {'))
  const coded = [...table.matchAll(/\b(?:C|ErrorCode)::([A-Z]\w+)/g)].map(([, name]) =>
    name!.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase(),
  )
  const all = [...new Set([...named, ...coded])]
  expect(all.length).toBeGreaterThan(80)
  expect(Object.keys(refusals).sort()).toEqual(all.sort())
  expect(refusalWords('OVER_DAY_CAP')).toBe('above the cap of the day')
  expect(refusalWords('SOMETHING_NEW')).toBe('something new')
})
