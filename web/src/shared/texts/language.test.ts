// Plurals, and what a translation is checked for.
import { expect, it } from 'vitest'
import type { Translation } from '../../trader/texts'
import { plural } from './language'

it('takes the form of a count', () => {
  const forms = { one: 'order', other: 'orders' }
  expect([0, 1, 2, 1.5].map((count) => plural(count, forms))).toEqual(['orders', 'order', 'orders', 'orders'])
  expect(plural(1, { other: 'sheep' })).toBe('sheep')
})

it('gives a translation the same names and values, and other words', () => {
  const german: Translation['login'] = {
    logInToTrade: 'Zum Handeln anmelden',
    welcome: (name) => `Willkommen, ${name}`,
    email: 'E-Mail',
    password: 'Passwort',
    loggingIn: 'Anmeldung läuft …',
    logIn: 'Anmelden',
    forgotYourPassword: 'Passwort vergessen?',
    yourSessionLives: 'Die Sitzung ist ein Cookie, den Skripte nicht lesen können.',
  }
  expect(german.welcome('Ada')).toBe('Willkommen, Ada')
  // @ts-expect-error A translation without a text does not compile.
  const incomplete: Translation['login'] = { email: 'E-Mail' }
  expect(incomplete.password).toBeUndefined()
})

const areas = import.meta.glob<Record<string, unknown>>(
  ['../../*/texts/*.ts', '!../../*/texts/index.ts', '!**/language*.ts'],
  { eager: true },
)
const indexes = import.meta.glob<string>('../../*/texts/index.ts', { eager: true, query: '?raw', import: 'default' })

it.each(Object.keys(indexes))('%s names every area of its page', (path) => {
  const folder = path.replace('index.ts', '')
  const names = Object.keys(areas).filter((area) => area.startsWith(folder))
  expect(names.length).toBeGreaterThan(10)
  for (const name of names) expect(indexes[path]).toContain(`typeof import('./${name.slice(folder.length, -3)}')`)
})

it.each(Object.keys(areas))('%s has words in every text, and no spaces by mistake', (path) => {
  for (const [name, text] of Object.entries(areas[path]!)) {
    const written = typeof text === 'function' ? text(...Array.from({ length: text.length }, () => 2)) : text
    if (typeof written === 'object') continue
    expect(written, name).toMatch(/\S/)
    expect(written, name).not.toMatch(/ {2}|\bundefined\b/)
  }
})
