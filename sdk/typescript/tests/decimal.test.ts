/** Exact numbers: what callers may pass, arithmetic, and JSON in both directions. */

import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import { test } from 'node:test'

import { Decimal, decode, encode, type Encodable, type Numeric, type Rounding } from 'bellwether-exchange'

import { Chance } from './chance.js'

test('a number means the decimal that was typed', () => {
  const pairs: [Numeric, string][] = [
    [0.1, '0.1'],
    [10, '10'],
    [-0, '0'],
    [12n, '12'],
    ['0.35', '0.35'],
    ['1.500', '1.5'],
    ['100', '100'],
    ['+7', '7'],
    ['-0.00', '0'],
    ['1E+2', '100'],
    ['1e-6', '0.000001'],
    [1e-7, '0.0000001'],
    [1e22, '10000000000000000000000'],
    [new Decimal('-3.25'), '-3.25'],
  ]
  for (const [given, meant] of pairs) assert.equal(new Decimal(given).toString(), meant)
})

test('what is no finite number is refused', () => {
  const texts = ['Infinity', 'ten', '', ' 1', '1,5', '.5', '5.', '0x10', '1e9999', '1'.repeat(2000)]
  for (const given of [NaN, Infinity, ...texts]) {
    assert.throws(() => new Decimal(given), RangeError, String(given).slice(0, 20))
  }
  for (const given of [true, null, undefined, [1], {}]) {
    assert.throws(() => new Decimal(given as unknown as number), TypeError)
  }
})

test('equal numbers have equal fields', () => {
  assert.deepEqual(new Decimal('1.500'), new Decimal('1.5'))
  assert.deepEqual(new Decimal('0.1').plus('0.2'), new Decimal('0.3'))
  assert.deepEqual(new Decimal(1).minus(1), new Decimal(0))
})

test('sums, differences and products of random numbers agree with integers', () => {
  const chance = new Chance(3)
  for (let round = 0; round < 500; round += 1) {
    const [a, b] = [chance.integer(-1e9, 1e9), chance.integer(-1e9, 1e9)]
    const [scaleA, scaleB] = [chance.integer(0, 6), chance.integer(0, 6)]
    const [left, right] = [new Decimal(`${a}e-${scaleA}`), new Decimal(`${b}e-${scaleB}`)]
    const unit = (value: Decimal) => value.times(10n ** 12n).toString()
    const [wholeA, wholeB] = [BigInt(a) * 10n ** BigInt(12 - scaleA), BigInt(b) * 10n ** BigInt(12 - scaleB)]
    assert.equal(unit(left.plus(right)), String(wholeA + wholeB))
    assert.equal(unit(left.minus(right)), String(wholeA - wholeB))
    assert.equal(left.times(right).times(10n ** 12n).toString(), String((wholeA * wholeB) / 10n ** 12n))
    assert.equal(left.compare(right), wholeA < wholeB ? -1 : wholeA > wholeB ? 1 : 0)
  }
})

test('rounding goes where its name says', () => {
  const table: [string, Rounding, string][] = [
    ['0.125', 'half-up', '0.13'],
    ['-0.125', 'half-up', '-0.13'],
    ['0.124', 'half-up', '0.12'],
    ['0.129', 'down', '0.12'],
    ['-0.129', 'down', '-0.12'],
    ['0.121', 'up', '0.13'],
    ['-0.121', 'up', '-0.13'],
    ['-0.121', 'floor', '-0.13'],
    ['0.129', 'floor', '0.12'],
    ['0.121', 'ceiling', '0.13'],
    ['-0.129', 'ceiling', '-0.12'],
  ]
  for (const [value, rounding, expected] of table) {
    assert.equal(new Decimal(value).round(2, rounding).toString(), expected, `${value} ${rounding}`)
  }
  assert.equal(new Decimal('5').round(2).toString(), '5')
  assert.throws(() => new Decimal(1).round(-1), RangeError)
})

test('a quotient has as many places as wanted', () => {
  assert.equal(new Decimal(1).dividedBy(3, 4).toString(), '0.3333')
  assert.equal(new Decimal(2).dividedBy(3, 4).toString(), '0.6667')
  assert.equal(new Decimal('0.5').dividedBy('0.0025').toString(), '200')
  assert.equal(new Decimal(7).dividedBy(100).toString(), '0.07')
  assert.equal(new Decimal('0.123456').dividedBy(1000, 3).toString(), '0')
  assert.throws(() => new Decimal(1).dividedBy(0), RangeError)
})

test('numbers are compared, negated, shown and chosen', () => {
  const [a, b] = [new Decimal('0.4'), new Decimal('0.35')]
  assert(b.lessThan(a) && a.greaterThan(b) && a.atLeast('0.40') && a.atMost(0.4) && a.equals('0.4') && !a.isZero())
  assert.equal(String(Decimal.min(a, b, 1)), '0.35')
  assert.equal(String(Decimal.max(a, b, 0)), '0.4')
  assert.equal(a.negated().abs().toString(), '0.4')
  assert.equal(a.toFixed(3), '0.400')
  assert.equal(new Decimal(5).toFixed(2), '5.00')
  assert.equal(new Decimal(5).toFixed(0), '5')
  assert.equal(a.toNumber(), 0.4)
  assert.equal(`${a}`, '0.4')
  assert.equal(inspect({ a }), '{ a: 0.4 }')
  assert.equal(JSON.stringify({ a }), '{"a":"0.4"}')
})

test('operators are refused instead of rounding silently', () => {
  const one = new Decimal(1) as unknown as number
  assert.throws(() => one + 1, TypeError)
  assert.throws(() => one < 2, TypeError)
  assert.throws(() => one * 2, TypeError)
})

test('decoding keeps every digit', () => {
  const text = '{"amount":98.039212345678901234567890,"count":3}'
  assert.deepEqual(decode(text), { amount: new Decimal('98.03921234567890123456789'), count: new Decimal(3) })
})

test('decoding agrees with JSON.parse about everything but numbers', () => {
  const texts = [
    '{"a":[true,false,null,"x"],"b":{"c":"\\u00fc\\n\\"\\\\"}}',
    ' [ ] ',
    '{ }',
    '"\\ud83d\\ude00 ü"',
    '[[[]],{"":""}]',
    '{"a":"1","a":"2"}',
    '\t\r\n"x"\n',
  ]
  for (const text of texts) assert.deepEqual(decode(text), JSON.parse(text))
  assert.deepEqual(Object.keys(decode('{"__proto__":"x"}') as object), ['__proto__'])
})

test('decoding refuses what JSON.parse refuses', () => {
  const chance = new Chance(11)
  const signs = ['{', '}', '[', ']', ':', ',', '-', ' ', '"', '\\', '\u0001']
  const pieces = [...signs, '"a"', '1', '0', '.5', 'e5', 'true', 'null', 'NaN']
  let accepted = 0
  for (let round = 0; round < 20_000; round += 1) {
    const text = Array.from({ length: chance.integer(1, 7) }, () => chance.of(pieces)).join('')
    let isJson = true
    try {
      JSON.parse(text)
    } catch {
      isJson = false
    }
    if (isJson) decode(text)
    else assert.throws(() => decode(text), SyntaxError, JSON.stringify(text))
    accepted += isJson ? 1 : 0
  }
  assert(accepted > 500)
})

test('a text of great depth or with a monstrous number is refused', () => {
  assert.throws(() => decode('['.repeat(1e6)), SyntaxError)
  assert.throws(() => decode('1e999999999'), SyntaxError)
})

test('encoding writes numbers, not strings, and no exponent', () => {
  const numbers = { price: new Decimal('0.40'), amount: new Decimal('1E+3'), tiny: new Decimal(1e-6) }
  const expected = '{"price":0.4,"amount":1000,"tiny":0.000001,"post":true,"none":null}'
  assert.equal(encode({ ...numbers, post: true, none: null, absent: undefined }), expected)
  assert.equal(encode([1, 2n, 'ü\n"']), '[1,2,"ü\\n\\""]')
})

test('encoding refuses a number with a fraction', () => {
  for (const value of [0.1, NaN, Infinity, 2 ** 60]) assert.throws(() => encode({ price: value }), TypeError)
})

test('encoding and decoding are inverse', () => {
  const chance = new Chance(7)
  for (let round = 0; round < 2000; round += 1) {
    const digits = Array.from({ length: chance.integer(1, 30) }, () => chance.integer(0, 9)).join('')
    const number = new Decimal(`${chance.of(['', '-'])}${digits}e${chance.integer(-30, 3)}`)
    const value: Encodable = { n: number, list: [number, 'text', false, null] }
    assert.deepEqual(decode(encode(value)), value)
    assert.equal(typeof JSON.parse(encode(value)).n, 'number')
  }
})
