// Hashes against the published examples, and against another implementation at every length around a block.
import { expect, test } from 'vitest'
import { sha256 } from './sha256'
import { newToken } from './token'

async function independent(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

test('the examples of the standard', () => {
  expect(sha256('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

test('every length up to three blocks, and letters of more than one byte', async () => {
  for (let length = 0; length <= 192; length += 1) {
    const text = 'x'.repeat(length)
    expect(sha256(text)).toBe(await independent(text))
  }
  expect(sha256('Ìbàdàn ☔')).toBe(await independent('Ìbàdàn ☔'))
})

test('a token has 256 random bits and comes with its hash', async () => {
  const [one, other] = [newToken('op_'), newToken('op_')]
  expect(one.token).toMatch(/^op_[0-9a-f]{64}$/)
  expect(one.token).not.toBe(other.token)
  expect(one.hash).toBe(await independent(one.token))
  expect(newToken().token).toMatch(/^[0-9a-f]{64}$/)
})
