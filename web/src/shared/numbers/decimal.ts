// Exact decimals: everything is a bigint of millionths, for money, prices and shares alike. A JavaScript number only ever
// carries a value between JSON and here; it is never added, multiplied or compared.

/** What the API gives: a number of at most 15 digits, or its text where there are more (see api/exact-json.ts). */
export type Decimal = number | string

/** One, in millionths. */
export const ONE = 1_000_000n
/** Decimal places of a millionth. */
export const PLACES = 6
const PATTERN = /^(-?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/

/** Millionths of a value. Digits beyond the sixth place are cut off, which no value of the API has. */
export function units(value: Decimal): bigint {
  const found = PATTERN.exec(String(value))
  if (!found || !(found[2] || found[3])) throw new RangeError(`not a decimal: ${value}`)
  const [, minus, whole = '', fraction = '', exponent = '0'] = found
  const digits = whole + fraction
  // Where the point stands in `digits`, once the exponent has moved it.
  const point = whole.length + Number(exponent) + PLACES
  const kept = point <= 0 ? '0' : digits.slice(0, point).padEnd(point, '0')
  const magnitude = BigInt(kept || '0')
  return minus ? -magnitude : magnitude
}

/** The shortest text: 1.5, not 1.500000. */
export function text(value: bigint): string {
  const minus = value < 0n ? '-' : ''
  const magnitude = value < 0n ? -value : value
  const fraction = (magnitude % ONE).toString().padStart(PLACES, '0').replace(/0+$/, '')
  return minus + (magnitude / ONE).toString() + (fraction ? `.${fraction}` : '')
}

/** For a JSON body. A number keeps 15 digits; an order of the largest size allowed has as many. */
export function carrier(value: bigint): number {
  const written = text(value)
  if (written.replace(/[-.]/g, '').replace(/^0+/, '').length > 15) throw new RangeError(`too many digits: ${written}`)
  return Number(written)
}

/** Towards zero. */
export function multiply(left: bigint, right: bigint): bigint {
  return (left * right) / ONE
}

/** Towards zero; nothing where the divisor is. */
export function divide(left: bigint, right: bigint): bigint {
  return right === 0n ? 0n : (left * ONE) / right
}

/** To so many places, halves away from zero. */
export function round(value: bigint, places: number): bigint {
  const step = 10n ** BigInt(PLACES - places)
  const half = step / 2n
  const moved = value < 0n ? value - half : value + half
  return (moved / step) * step
}

/** Down to a multiple of a step, such as the ten-thousandth of a share. */
export function floorTo(value: bigint, step: bigint): bigint {
  return value - (value % step)
}
