// The words of a statement.
import { expect, it } from 'vitest'
import type { Movement } from '../../shared/api/types'
import { movementWord } from './movement'

const movement = (type: Movement['type'], amount: string) => ({ type, amount }) as unknown as Movement

it('calls a payout by what it brought', () => {
  expect(movementWord(movement('PAYOUT', '12.5'))).toBe('Won')
  expect(movementWord(movement('PAYOUT', '0'))).toBe('Lost')
})

it('names money from and to the outside', () => {
  expect(movementWord(movement('DEPOSIT', '100'))).toBe('Deposit')
  expect(movementWord(movement('WITHDRAWAL', '-100'))).toBe('Withdrawal')
})
