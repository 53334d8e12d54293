// Constants go into the templates with their signs intact; everything else stays.
import { expect, test } from 'vitest'
import { constantsOf, inline } from './inline.mjs'

const TEXTS = `
  import { plural } from '../language'
  export const sum = 'Sum'
  export const odd = 'A & B <{"c"}>'
  export const spaced = ' more'
  export const left = (count: number) => plural(count, { one: 'one', other: 'more' })
`
const constants = constantsOf(TEXTS)

test('only plain strings are constants', () => {
  expect([...constants.keys()]).toEqual(['sum', 'odd', 'spaced'])
})

test('a constant becomes the words of the markup', () => {
  expect(inline('<p>{texts.sum}: {count}</p>', constants)).toBe('<p>Sum: {count}</p>')
  expect(inline('<input title={texts.sum} alt="{name}, {texts.sum}" />', constants)).toBe(
    '<input title="Sum" alt="{name}, Sum" />',
  )
  expect(inline('<p>{texts.odd}</p>', constants)).toBe('<p>A &amp; B &lt;&#123;&quot;c&quot;&#125;&gt;</p>')
})

test('inside an expression or a script it becomes a string', () => {
  expect(inline("<p>{open ? texts.sum : ''}</p>", constants)).toBe(`<p>{open ? "Sum" : ''}</p>`)
  expect(inline('<script lang="ts">const a: string[] = [texts.odd]</script>', constants)).toBe(
    `<script lang="ts">const a: string[] = ["A & B <{\\"c\\"}>"]</script>`,
  )
})

test('spaces at the ends of a text are kept', () => {
  expect(inline('<p>{texts.spaced}</p>', constants)).toBe('<p>{" more"}</p>')
})

test('functions and unknown names stay', () => {
  const source = '<p title={texts.left(2)}>{texts.unknown} {other.sum}</p>'
  expect(inline(source, constants)).toBe(source)
})
