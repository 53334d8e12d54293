import { expect, test } from 'vitest'
import command from '../../../../crates/exchange/src/command.rs?raw'
import { commands, proposals } from '../texts/commands'
import { authorWords, commandWords, listed, proposalWords, sentence, slugOf, spanWords } from './words'

test('a title becomes a slug', () => {
  expect(slugOf('Does it rain in Lagos on Sunday?')).toBe('does-it-rain-in-lagos-on-sunday')
  expect(slugOf('  Élan & <b>bold</b>  ')).toBe('elan-b-bold-b')
  expect(slugOf('???')).toBe('')
})

test('a span has its two largest units', () => {
  expect(spanWords(0)).toBe('none')
  expect(spanWords(90)).toBe('1m 30s')
  expect(spanWords(90_061)).toBe('1d 1h')
})

test('an action becomes a sentence', () => {
  expect(sentence('credit_wallet')).toBe('Credit wallet')
  expect(sentence('OVER_DAY_CAP')).toBe('Over day cap')
})

test('a list reads as a sentence does', () => {
  expect(listed([])).toBe('')
  expect(listed(['USD'])).toBe('USD')
  expect(listed(['USD', 'NGN'])).toBe('USD and NGN')
  expect(listed(['ann', 'bo', 'cy'])).toBe('ann, bo, and cy')
})

test('a proposal is named by its command', () => {
  expect(proposalWords({ type: 'resolution' })).toBe('How an event ends')
  expect(proposalWords({ type: 'command', action: 'move_fees' })).toBe('Move fees')
  expect(proposalWords({ type: 'command', action: 'something_new' })).toBe('Something new')
  expect(proposalWords({ type: 'command', action: 'freeze_user' })).toBe('End of a freeze')
  expect(commandWords('freeze_user')).toBe('Freeze or release a user')
})

test('every command of the exchange has a word, and every word a command', () => {
  const [, table = ''] = /\ncommands! \{(.*?)\n\}\n/s.exec(command) ?? []
  // Commands behind a feature are drills: no venue has them.
  const rows = table.replace(/#\[cfg\(.*\)\]\n.*\n/g, '')
  const names = [...rows.matchAll(/= \(\d+, (\w+), \w+(?: \[\w+ \w+\])?(?:, \d+)?\)/g)].map(([, name]) => name)
  expect(names.length).toBeGreaterThan(60)
  expect(Object.keys(commands).sort()).toEqual(names.sort())
  expect(names).toEqual(expect.arrayContaining(Object.keys(proposals)))
})

test('every author has a word', () => {
  expect(['node', 'viewer', 'operator', 'approver'].map(authorWords)).toEqual(['exchange', 'viewer', 'operator', 'approver'])
})
