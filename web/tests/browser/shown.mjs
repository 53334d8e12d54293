// How numbers of the API are expected to look on the page, written down a second time and independently of it.

const group = (value, least, most) =>
  value.toLocaleString('en-US', { minimumFractionDigits: least, maximumFractionDigits: most })

export function money(value, symbol = '$', sign = false) {
  const tiny = value !== 0 && Math.abs(value) < 0.01
  const mark = value < 0 ? '−' : sign && value > 0 ? '+' : ''
  return mark + symbol + group(Math.abs(value), 2, tiny ? 4 : 2)
}

export const cents = (value) => `${group(Math.round(value * 1e6) / 1e4, 0, 1)}¢`
export const shares = (value, places = 2) => group(value, 0, value < 1 ? 4 : places)
