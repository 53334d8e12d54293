// Long numbers survive, everything else is as it was.
import { expect, it } from 'vitest'
import { parseExactly } from './exact-json'

it('keeps every digit of a long number and leaves short ones alone', () => {
  expect(parseExactly('{"a":4611686018427.387903,"b":12.5,"c":[-1,1e-6]}')).toEqual({
    a: '4611686018427.387903',
    b: 12.5,
    c: [-1, 1e-6],
  })
})

it('does not touch digits inside texts', () => {
  const text = '{"title":"say \\"12345678901234567890\\" twice","x":"\\\\"}'
  expect(parseExactly(text)).toEqual(JSON.parse(text))
})

it('finds a long number wherever it is, and with an exponent', () => {
  expect(parseExactly('[1.2345678901234e10,1]')).toEqual(['1.2345678901234e10', 1])
  expect(parseExactly('[123456789012345,1234567890123456]')).toEqual([123456789012345, '1234567890123456'])
})
