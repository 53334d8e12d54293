// The signs of numbers in the reader's locale. Digits are always 0 to 9, as in the fields, which take "." as the decimal sign
// in every locale: a person may copy digits from a text into a field.

export interface NumberSigns {
  /** 1,234,567 */
  whole: (value: bigint) => string
  /** Between whole and fraction. */
  decimal: string
}

export function signsOf(locale?: string): NumberSigns {
  const format = new Intl.NumberFormat(locale, { numberingSystem: 'latn' })
  const decimal = format.formatToParts(0.5).find((part) => part.type === 'decimal')?.value ?? '.'
  return { whole: (value) => format.format(value), decimal }
}
