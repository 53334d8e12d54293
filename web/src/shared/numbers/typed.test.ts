// What is typed, pasted or copied from a page means one number, or none.
import { describe, expect, it } from 'vitest'
import { ONE, round, text, units } from './decimal'
import { count, grouped, money, percent, price, shares } from './format'
import { type NumberSigns, signsOf } from './locale'
import { caretIn, doubtAbout, parseInput, read, shownText, typedAfter, typedIn, typedText, understood, type Unit } from './typed'

const LOCALES = ['en', 'en-IN', 'de', 'de-AT', 'de-CH', 'fr', 'fr-CH', 'sv', 'pt-BR', 'pt-PT', 'es', 'es-MX', 'it', 'pl', 'ru', 'ar', 'ar-EG', 'fa', 'hi', 'ja', 'en-ZA']
const VALUES = ['0', '0.0001', '0.005', '0.125', '0.5', '1', '12.5', '34', '99.99', '123', '999.999', '1000', '1234', '1234.5', '12345.67', '999999', '1000000', '1234567.891234', '123456789012.5']

const reading = (typed: string, unit?: Unit, signs?: NumberSigns) => {
  const found = read(typed, unit, signs)
  return found && ('value' in found ? text(found.value) : `${found.thousands} or ${found.decimals}`)
}
const inEvery = (check: (signs: NumberSigns, locale: string) => void) => {
  for (const locale of LOCALES) check(signsOf(locale), locale)
}

describe('in the signs of each locale', () => {
  it('reads what the page writes beside a sign, a name or a unit', () => {
    inEvery((signs, locale) => {
      const isExact = (copied: string, value: string, places: number, unit: Unit) =>
        expect(reading(copied, unit, signs), `${copied} in ${locale}`).toBe(text(round(units(value), places)))
      for (const value of VALUES) {
        // Money has two places, and up to four below a cent.
        const places = Number(value) < 0.01 ? 4 : 2
        for (const shown of [grouped(units(value), 2, places, signs), grouped(units(value), 0, places, signs)]) {
          for (const copied of [`$${shown}`, `$\u00a0${shown}`, `${shown}\u202f$`, `${shown} USD`, `USD ${shown}`, `+$${shown}`])
            isExact(copied, value, places, 'USD')
          if (value !== '0') isExact(`−$${shown}`, `-${value}`, places, 'USD')
        }
        isExact(`${grouped(units(value), 0, 4, signs)} shares`, value, 4, 'shares')
        isExact(`${grouped(units(value), 0, 1, signs)}¢`, value, 1, 'price')
        isExact(`${grouped(units(value), 0, 2, signs)}\u2009%`, value, 2, 'percent')
      }
    })
  })

  it('reads what the page writes without any, unless it has a second reading', () => {
    inEvery((signs, locale) => {
      for (const value of VALUES) {
        const shown = grouped(units(value), 0, 6, signs)
        const doubtful = /^\d{1,3}[.,]\d{3}$/.test(shown) && !shown.includes(signs.decimal)
        if (doubtful) expect(reading(shown, undefined, signs), locale).toContain(' or ')
        else expect(reading(shown, undefined, signs), `${shown} in ${locale}`).toBe(text(units(value)))
      }
    })
  })

  it('reads back what the page writes into a field, and what the field makes of it', () => {
    inEvery((signs, locale) => {
      for (const value of VALUES) {
        const typed = typedText(units(value), signs)
        expect(reading(typed, undefined, signs), locale).toBe(value)
        const shown = shownText(typed, signs)
        expect(shown.split(signs.decimal)[0], locale).toBe(signs.whole(units(value) / ONE))
        // A key after it, and that key taken away again.
        expect(typedAfter(shown + (value.includes('.') ? '1' : ''), typed, undefined, signs), locale).toBe(typed + (value.includes('.') ? '1' : ''))
      }
    })
  })

  it('never reads a thousand times what another reading is, nor a thousandth of it', () => {
    const written = ['1,234', '1.234', '0,125', '0.125', '12,5', '12.5', '1.234,5', '1,234.5', '1,2345', '1.2345', '1.234,500', '1,234.500', '1 234', "1'234", '1,234,567', '1.234.567', '12,34,567', '1,23,456', '1.234.5', '1,234,5', '01,234', '001.234', ',5', '.5', '1,', '1.']
    inEvery((signs, locale) => {
      for (const typed of written) {
        const found = read(typed, undefined, signs)
        if (!found || !('value' in found)) continue
        // The decimal sign is the reader's own, and everything else groups.
        const [whole, fraction = ''] = typed.split(signs.decimal)
        expect(text(found.value), `${typed} in ${locale}`).toBe(text(units(`${whole!.replace(/\D/g, '')}.${fraction}`)))
        expect(/^[1-9]\d{0,2}[.,]\d{3}$/.test(typed) && !typed.includes(signs.decimal), `${typed} in ${locale}`).toBe(false)
      }
    })
  })
})

describe('a text', () => {
  // Each with what it means in English, German, French and Swiss German; null for nothing, "a or b" for two readings.
  const table: [typed: string, en: string | null, de: string | null, fr: string | null, deCh: string | null][] = [
    ['25', '25', '25', '25', '25'],
    ['50 ', '50', '50', '50', '50'],
    ['12.5', '12.5', null, null, '12.5'],
    ['12,5', null, '12.5', '12.5', null],
    ['.5', '0.5', null, null, '0.5'],
    ['10.', '10', null, null, '10'],
    ['1,234', '1234 or 1.234', '1.234', '1.234', '1234 or 1.234'],
    ['1.234', '1.234', '1234 or 1,234', '1234 or 1,234', '1.234'],
    ['12,500', '12500 or 12.500', '12.5', '12.5', '12500 or 12.500'],
    ['0,125', null, '0.125', '0.125', null],
    ['0.125', '0.125', null, null, '0.125'],
    ['1.234,5', null, '1234.5', null, null],
    ['1,234.5', '1234.5', null, null, null],
    ['1.234,500', null, '1234.5', null, null],
    ['1,234,567', '1234567', null, null, null],
    ['1.234.567', null, '1234567', null, null],
    ['1 234', null, null, '1234', null],
    ['1\u202f234,50', null, null, '1234.5', null],
    ["1'234.50", null, null, null, '1234.5'],
    ['1’234', null, null, null, '1234'],
    ['1,2345', null, '1.2345', '1.2345', null],
    ['12,34', null, '12.34', '12.34', null],
    ['1.5,000', null, null, null, null],
    ['1.234.5', null, null, null, null],
    ['$1,234', '1234', '1234 or 1,234', '1234 or 1,234', '1234 or 1.234'],
    ['$1.234', '1234 or 1.234', '1234', '1234 or 1,234', '1234 or 1.234'],
    ['1.234 $', '1234 or 1.234', '1234', '1234 or 1,234', '1234 or 1.234'],
    ['$1,234.50', '1234.5', null, null, null],
    ['$0,005', null, '0.005', '0.005', null],
    ['−$10.27', '-10.27', null, null, '-10.27'],
    ['₦5', null, null, null, null],
    ['5 ₦', null, null, null, null],
    ['$5 USD', null, null, null, null],
    ['1e3', null, null, null, null],
    ['٣', null, null, null, null],
    ['ten', null, null, null, null],
    ['', null, null, null, null],
    [',', null, null, null, null],
    ['0.0000001', null, null, null, null],
    ['1234567890123', null, null, null, null],
  ]
  it.each(table)('%j is read in the signs of the reader', (typed, ...meant) => {
    expect(['en', 'de', 'fr', 'de-CH'].map((locale) => reading(typed, 'USD', signsOf(locale)))).toEqual(meant)
  })

  it('has lakhs where the reader has them, or thousands', () => {
    const signs = signsOf('en-IN')
    expect(['12,34,567', '1,234,567', '1,23,45', '12,34,567.50'].map((typed) => reading(typed, undefined, signs))).toEqual(['1234567', '1234567', null, '1234567.5'])
  })

  it('is what the formats of the pages write', () => {
    for (const value of ['0.005', '10.27', '1234.5', '1234567']) expect(reading(money(value, 'NGN', { sign: true }), 'NGN')).toBe(value)
    expect(reading(money('-1234.5', 'USD'), 'USD')).toBe('-1234.5')
    expect([price(0.467, 'USD'), price(0.34, 'NGN')].map((shown) => reading(shown, 'price'))).toEqual(['46.7', '34'])
    expect(reading(percent(12.5), 'percent')).toBe('12.5')
    expect(reading(`${shares(1234.56)} shares`, 'shares')).toBe('1234.56')
    expect(reading(count(12))).toBe('12')
  })
})

describe('an amount', () => {
  it('is not negative, and has as many places as it may', () => {
    expect(parseInput(' $1,250.50 ', 2, 'USD')).toBe(1_250_500_000n)
    expect(parseInput('0.3450', 3)).toBe(345_000n)
    for (const wrong of ['-1', '−$10.27']) expect(parseInput(wrong, 6, 'USD')).toBeNull()
    expect(parseInput('0.345', 2)).toBeNull()
    expect(parseInput('1,234')).toBeNull()
  })

  it('says how it was understood, if it has more than digits', () => {
    expect(understood('1,234.50', 'USD')).toBe('Understood as $1,234.50')
    expect(understood('$1,234,567.125', 'USD')).toBe('Understood as $1,234,567.125')
    expect(understood('5 %', 'percent')).toBe('Understood as 5%')
    for (const plain of ['', '25', ' 12.5', '.5', 'many', '12,5']) expect(understood(plain, 'USD')).toBeUndefined()
  })

  it('says what a text with two readings can mean', () => {
    expect(understood('1,234')).toBe('1,234 can mean 1234 or 1.234. Type the one that you mean.')
    expect(doubtAbout('1.234', 'USD', signsOf('de'))).toBe('1.234 can mean 1234 or 1,234. Type the one that you mean.')
    for (const one of ['1234', '1.234']) expect(doubtAbout(one)).toBeUndefined()
  })
})

describe('a field', () => {
  it('sets thousands apart in a plain number, and nothing else', () => {
    expect(shownText('1234567.8901')).toBe('1,234,567.8901')
    expect(shownText('1000.')).toBe('1,000.')
    expect(shownText('1234,5', signsOf('de'))).toBe('1.234,5')
    for (const other of ['', '.5', '0.5', '007', 'x12345', '1.2.3', '-5000', '12,345']) expect(shownText(other)).toBe(other)
  })

  it('takes its own signs out again, and keeps those of a person', () => {
    const de = signsOf('de')
    // A key taken away, or typed, in what the field has set apart.
    expect(typedAfter('12,34', '12345')).toBe('1234')
    expect(typedAfter('1,2345', '1234')).toBe('12345')
    expect(typedAfter('1.2345', '1234', '5', de)).toBe('12345')
    // A sign typed or pasted, by what the browser says or by what is new.
    expect(typedAfter('1,234,', '1234')).toBe('1,234,')
    expect(typedAfter('12,5', '12,')).toBe('12,5')
    expect(typedAfter('1,234', '12345', '1,234')).toBe('1,234')
    expect(typedAfter('1.234', '', '1.234', de)).toBe('1.234')
    expect(typedAfter('1 234', '1 23', '4', signsOf('fr'))).toBe('1 234')
    // Typed over, it is plain again.
    expect(typedAfter('7', '1,234')).toBe('7')
  })

  it('keeps the caret behind its digit', () => {
    expect(caretIn('1,234', '1234', 4)).toBe(5)
    expect(caretIn('12,345', '1,2345', 4)).toBe(4)
    expect(caretIn('1,234', '1,234', 0)).toBe(0)
    expect(caretIn('12\u202f345', '1\u202f2345', 4, signsOf('fr'))).toBe(4)
  })

  it('returns what was typed, and shows it set apart', () => {
    const field = {
      value: '',
      selectionStart: 0,
      setSelectionRange: (from: number) => (field.selectionStart = from),
    }
    let typed = ''
    const change = (value: string, inputType: string, data: string | null) => {
      Object.assign(field, { value, selectionStart: value.length })
      typed = typedIn({ currentTarget: field, inputType, data } as never, typed)
      return [typed, field.value]
    }
    expect(change('1234', 'insertText', '4')).toEqual(['1234', '1,234'])
    expect(field.selectionStart).toBe(5)
    expect(change('1,23', 'deleteContentBackward', null)).toEqual(['123', '123'])
    expect(change('1,234', 'insertFromPaste', null)).toEqual(['1,234', '1,234'])
    expect(change('', 'deleteContentBackward', null)).toEqual(['', ''])
    // A keyboard that composes names the whole word with each key.
    expect(change('1234', 'insertCompositionText', '1234')).toEqual(['1234', '1,234'])
    expect(change('1,2345', 'insertCompositionText', '1,2345')).toEqual(['12345', '12,345'])
  })
})
