// Nothing that runs becomes a link.
import { expect, it } from 'vitest'
import { safeLink } from './link'

it('links to the web and to nothing else', () => {
  expect(safeLink('https://example.org/a b')).toBe('https://example.org/a%20b')
  for (const wrong of [
    'javascript:alert(1)',
    ' JaVaScRiPt:alert(1)',
    'data:text/html,x',
    '//host',
    'rain',
    '',
    undefined,
  ]) {
    expect(safeLink(wrong)).toBeNull()
  }
})
