/** Signatures of requests and of stream messages: HMAC-SHA256 over time, method, path and body hash, by WebCrypto. */

import { BellwetherError } from './errors.js'
import { hexOf } from './platform.js'

/** The path of the account's stream. */
export const USER_STREAM = '/ws/v1/user'

/** An API key. The public key reads the account; only the secret key can change it. */
export class Credentials {
  /** The public key. */
  readonly publicKey: string
  // Private: neither console.log nor JSON.stringify shows it.
  readonly #secretKey: string | undefined
  #key: Promise<CryptoKey> | undefined

  constructor(publicKey: string, secretKey?: string) {
    this.publicKey = publicKey
    this.#secretKey = secretKey
  }

  /** Whether there is a secret key. */
  get canSign(): boolean {
    return this.#secretKey !== undefined
  }

  /** The value of `X-Signature`. The request must carry exactly this body and this path, without a query. */
  async sign(timestamp: number, method: string, path: string, body?: string): Promise<string> {
    return this.#code(`${timestamp}.${method}.${path}.${await bodyHash(body)}`)
  }

  /** The proof that arms or disarms one stream connection, named by the `clientId` of its greeting. */
  async signCancelOnDisconnect(timestamp: number, isEnabled: boolean, clientId: string): Promise<string> {
    const hash = await bodyHash(`cancelOnDisconnect.${isEnabled}.${clientId}`)
    return this.#code(`${timestamp}.WS.${USER_STREAM}.${hash}`)
  }

  async #code(payload: string): Promise<string> {
    const code = await subtle().sign('HMAC', await this.#imported(), new TextEncoder().encode(payload))
    return btoa(String.fromCharCode(...new Uint8Array(code)))
  }

  #imported(): Promise<CryptoKey> {
    if (this.#secretKey === undefined) throw new BellwetherError('a signature needs secretKey')
    const bytes = new TextEncoder().encode(this.#secretKey)
    this.#key ??= subtle().importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
    return this.#key
  }
}

/** Lower-case hex of the body's SHA-256; empty without a body. */
export async function bodyHash(body: string | undefined): Promise<string> {
  if (!body) return ''
  return hexOf(new Uint8Array(await subtle().digest('SHA-256', new TextEncoder().encode(body))))
}

function subtle(): SubtleCrypto {
  // Browsers have it only in secure contexts.
  if (!globalThis.crypto?.subtle) throw new BellwetherError('signing needs WebCrypto: a page on https or localhost')
  return crypto.subtle
}
