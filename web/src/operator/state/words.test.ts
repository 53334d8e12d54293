import { expect, test } from 'vitest'
import { proposalWords, sentence, slugOf, spanWords } from './words'

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

test('a proposal is named by its command', () => {
  expect(proposalWords({ type: 'resolution' })).toBe('How an event ends')
  expect(proposalWords({ type: 'command', action: 'move_fees' })).toBe('Move fees')
  expect(proposalWords({ type: 'command', action: 'something_new' })).toBe('Something new')
})
