// What an operator reads when a write was refused or lost.
import { expect, test } from 'vitest'
import { Failure } from '../../shared/api/failure'
import { explain } from './explain'

test('a broken rule is told as a rule, without the field names of programs', () => {
  const said = (message: string) => explain(new Failure(message, 400, 'bad_request'))
  expect(said('closing_date: lies in the future')).toBe('The rule for the closing date: lies in the future.')
  expect(said('market title: has 1 to 200 characters')).toBe('The rule for the market title: has 1 to 200 characters.')
  expect(said('The slug is taken')).toBe('The slug is taken')
  expect(said('Insufficient balance: need 5.00, have 1.00')).toBe('Insufficient balance: need 5.00, have 1.00')
})

test('what may have happened is said to', () => {
  expect(explain(new Failure('', 0, 'unreachable'))).toMatch(/may have happened/)
  expect(explain(new Failure('Timed out.', 503, '', undefined, true))).toMatch(/^Timed out\. It may have happened/)
})

test('a role is blamed only where the role is the reason', () => {
  expect(explain(new Failure('Not allowed', 403, 'forbidden'))).toBe('Your role does not allow this.')
  expect(explain(new Failure('The account is frozen', 403, 'forbidden'))).toBe('The account is frozen')
})
