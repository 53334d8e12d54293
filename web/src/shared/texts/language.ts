// What the texts of all pages are built with. A text is a constant, or a function of the values in it.
import { lazily } from '../lazily'

/** The language of the texts, as in `<html lang>`. */
export const LANGUAGE = 'en'

/** A value in a text: it is shown as it is, so numbers, money and dates are formatted before. */
export type Value = string | number

type Forms = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>

const rules = lazily(() => new Intl.PluralRules(LANGUAGE))

/** The form of a text for a count. English has `one` and `other`; another language names its own forms. */
export function plural(count: number, forms: Forms): string {
  return forms[rules().select(count)] ?? forms.other
}

/** The texts of an area in another language: the same names and values, other words. */
export type Translated<Area> = { [Name in keyof Area]: Area[Name] extends string ? string : Area[Name] }
