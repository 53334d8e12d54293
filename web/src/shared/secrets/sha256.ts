// SHA-256 of a text, in hexadecimal digits (FIPS 180-4). WebCrypto has it too, but only on pages that come over TLS or from this
// machine; a token must be hashable on every page that can make one.

const WORD = 0x1_0000_0000
const BLOCK_BYTES = 64
const ROUNDS = 64

/** The first 32 bits of the fractional part. */
function fraction(value: number): number {
  return ((value - Math.floor(value)) * WORD) | 0
}

function primes(many: number): number[] {
  const found: number[] = []
  for (let candidate = 2; found.length < many; candidate += 1) {
    if (found.every((prime) => candidate % prime !== 0)) found.push(candidate)
  }
  return found
}

const PRIMES = primes(ROUNDS)
const CONSTANTS = Int32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)))
const START = Int32Array.from(PRIMES.slice(0, 8), (prime) => fraction(Math.sqrt(prime)))

function turned(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by))
}

/** The bytes of a message, a one bit, zeros, and its length in bits. */
function padded(message: Uint8Array): DataView {
  const blocks = Math.ceil((message.length + 9) / BLOCK_BYTES)
  const bytes = new Uint8Array(blocks * BLOCK_BYTES)
  bytes.set(message)
  bytes[message.length] = 0x80
  const view = new DataView(bytes.buffer)
  view.setUint32(bytes.length - 8, Math.floor((message.length * 8) / WORD))
  view.setUint32(bytes.length - 4, (message.length * 8) >>> 0)
  return view
}

function schedule(view: DataView, offset: number): Int32Array {
  const words = new Int32Array(ROUNDS)
  for (let index = 0; index < ROUNDS; index += 1) {
    if (index < 16) {
      words[index] = view.getInt32(offset + index * 4)
      continue
    }
    const [early, late] = [words[index - 15]!, words[index - 2]!]
    const first = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3)
    const second = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10)
    words[index] = words[index - 16]! + first + words[index - 7]! + second
  }
  return words
}

function compress(state: Int32Array, words: Int32Array): void {
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number]
  for (let round = 0; round < ROUNDS; round += 1) {
    const high = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)
    const choice = (e & f) ^ (~e & g)
    const first = (h + high + choice + CONSTANTS[round]! + words[round]!) | 0
    const low = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)
    const majority = (a & b) ^ (a & c) ^ (b & c)
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + low + majority) | 0]
  }
  const mixed = [a, b, c, d, e, f, g, h]
  for (const [index, word] of mixed.entries()) state[index] = state[index]! + word
}

export function sha256(text: string): string {
  return sha256Bytes(new TextEncoder().encode(text))
}

export function sha256Bytes(message: Uint8Array): string {
  const view = padded(message)
  const state = START.slice()
  for (let offset = 0; offset < view.byteLength; offset += BLOCK_BYTES) compress(state, schedule(view, offset))
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
}
