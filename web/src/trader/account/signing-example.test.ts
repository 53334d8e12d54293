// The example has the reader's own keys and address, and nothing a shell would take for something else.
import { expect, it } from 'vitest'
import { signingExample } from './signing-example'

it('is about the key that was just made', () => {
  const example = signingExample('http://127.0.0.1:8080', 'pk_live_1', 'sk_live_2')
  expect(example).toContain("PUBLIC_KEY='pk_live_1'")
  expect(example).toContain("SECRET_KEY='sk_live_2'")
  expect(example).toContain('"http://127.0.0.1:8080$REQUEST_PATH"')
})
