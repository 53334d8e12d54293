// The helper that all money passes through.
import { describe, expect, it } from 'vitest'
import { carrier, divide, floorTo, multiply, round, text, units } from './decimal'

describe('units', () => {
  it('reads numbers and texts to the last digit', () => {
    expect(units(0.1)).toBe(100_000n)
    expect(units(999_999_999.999999)).toBe(999_999_999_999_999n)
    expect(units('4611686018427.387903')).toBe(4_611_686_018_427_387_903n)
    expect(units(-0.05)).toBe(-50_000n)
    expect(units('.5')).toBe(500_000n)
  })
  it('reads the exponents that small and large numbers are written with', () => {
    expect(units(0.000001)).toBe(1n)
    expect(units(1e-6)).toBe(1n)
    expect(units(1e21)).toBe(10n ** 27n)
    expect(units('2.5e-3')).toBe(2_500n)
  })
  it('refuses what is no decimal', () => {
    for (const wrong of ['', '.', 'NaN', '1,5', '0x10', 'Infinity']) expect(() => units(wrong)).toThrow(RangeError)
  })
})

describe('text and carrier', () => {
  it('write what units read', () => {
    for (const value of ['0', '1.5', '-0.000001', '123456789.123456']) expect(text(units(value))).toBe(value)
  })
  it('carry 15 digits and refuse more', () => {
    expect(JSON.stringify(carrier(units('999999999.999999')))).toBe('999999999.999999')
    expect(() => carrier(units('1999999999.999999'))).toThrow(RangeError)
  })
})

describe('arithmetic', () => {
  it('is exact where floats are not', () => {
    expect(text(units(0.1) + units(0.2))).toBe('0.3')
    expect(text(multiply(units(27.7777), units(0.36)))).toBe('9.999972')
  })
  it('rounds halves away from zero and divides towards it', () => {
    expect(text(round(units('0.125'), 2))).toBe('0.13')
    expect(text(round(units('-0.125'), 2))).toBe('-0.13')
    expect(text(divide(units(10), units(0.36)))).toBe('27.777777')
    expect(divide(1n, 0n)).toBe(0n)
    expect(text(floorTo(units('27.777777'), 100n))).toBe('27.7777')
  })
})
