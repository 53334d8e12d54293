// Tokens that are made here and stay here: the exchange gets their hash, and so nothing that opens a door.
import { sha256 } from './sha256'

const TOKEN_BYTES = 32

export interface Token {
  token: string
  /** What the exchange keeps: SHA-256 of the token, in 64 hexadecimal digits. */
  hash: string
}

/** 256 random bits as hexadecimal digits behind a prefix. */
export function newToken(prefix = ''): Token {
  const bytes = crypto.getRandomValues(new Uint8Array(TOKEN_BYTES))
  const token = prefix + Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return { token, hash: sha256(token) }
}
