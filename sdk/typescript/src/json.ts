/**
 * JSON that keeps every digit. `JSON.parse` makes a binary number of each number before a program can see its text, so
 * this file has a parser of its own: every JSON number becomes a `Decimal`. Encoding writes a `Decimal` as a JSON
 * number with all its digits and without an exponent, as the exchange expects it.
 */

import { Decimal } from './decimal.js'

/** Decoded JSON. Every number is a `Decimal`. */
export type Json = null | boolean | string | Decimal | readonly Json[] | JsonObject

/** A JSON object. */
export interface JsonObject {
  readonly [name: string]: Json
}

/** What `encode` takes. Properties that are undefined are left out. */
export type Encodable =
  | null
  | boolean
  | string
  | number
  | bigint
  | Decimal
  | readonly Encodable[]
  | { readonly [name: string]: Encodable | undefined }

/** Deeper texts are refused, so that no answer can exhaust the stack. */
const DEPTH_MAX = 100

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const SPACE = /[ \t\r\n]*/y
const WORDS: readonly [string, Json][] = [
  ['true', true],
  ['false', false],
  ['null', null],
]

/** Decodes JSON without losing a digit. Throws a `SyntaxError` for anything else. */
export function decode(text: string): Json {
  return new Decoder(text).whole()
}

/** Encodes compact JSON. Throws a `TypeError` for a number with a fraction: make a `Decimal` of it first. */
export function encode(value: Encodable): string {
  if (value instanceof Decimal) return value.toString()
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new TypeError(`JSON would not hold ${value} exactly: use a Decimal`)
    return value.toString()
  }
  if (isList(value)) return `[${value.map(encode).join(',')}]`
  const pairs = Object.entries(value).filter((pair): pair is [string, Encodable] => pair[1] !== undefined)
  return `{${pairs.map(([name, item]) => `${JSON.stringify(name)}:${encode(item)}`).join(',')}}`
}

/** Whether a decoded value is an object: neither a list nor a number. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !(value instanceof Decimal) && !Array.isArray(value)
}

// Array.isArray does not narrow a readonly list.
function isList(value: Encodable): value is readonly Encodable[] {
  return Array.isArray(value)
}

class Decoder {
  readonly #text: string
  #at = 0
  #depth = 0

  constructor(text: string) {
    this.#text = text
  }

  whole(): Json {
    const value = this.#value()
    this.#skip()
    if (this.#at < this.#text.length) throw this.#error()
    return value
  }

  #value(): Json {
    this.#skip()
    switch (this.#text[this.#at]) {
      case '{':
        return this.#nested(() => this.#object())
      case '[':
        return this.#nested(() => this.#list())
      case '"':
        return this.#string()
      default:
        return this.#wordOrNumber()
    }
  }

  #nested<T>(read: () => T): T {
    this.#depth += 1
    if (this.#depth > DEPTH_MAX) throw new SyntaxError(`JSON deeper than ${DEPTH_MAX} levels`)
    this.#at += 1
    const value = read()
    this.#depth -= 1
    return value
  }

  #object(): JsonObject {
    const object: Record<string, Json> = {}
    if (this.#has('}')) return object
    do {
      this.#skip()
      const name = this.#string()
      this.#expect(':')
      const value = this.#value()
      // An assignment to this name would set the prototype.
      if (name === '__proto__') Object.defineProperty(object, name, { value, enumerable: true })
      else object[name] = value
    } while (this.#has(','))
    this.#expect('}')
    return object
  }

  #list(): Json[] {
    const list: Json[] = []
    if (this.#has(']')) return list
    do list.push(this.#value())
    while (this.#has(','))
    this.#expect(']')
    return list
  }

  #string(): string {
    const text = this.#text
    if (text[this.#at] !== '"') throw this.#error()
    let end = this.#at + 1
    let isEscaped = false
    for (; ; end += 1) {
      const code = text.charCodeAt(end)
      if (code === 0x22) break
      // NaN: the text has ended.
      if (!(code >= 0x20)) throw this.#error()
      if (code === 0x5c) {
        isEscaped = true
        end += 1
      }
    }
    const quoted = text.slice(this.#at, end + 1)
    this.#at = end + 1
    return isEscaped ? (JSON.parse(quoted) as string) : quoted.slice(1, -1)
  }

  #number(): Decimal {
    NUMBER.lastIndex = this.#at
    const match = NUMBER.exec(this.#text)
    if (!match) throw this.#error()
    this.#at = NUMBER.lastIndex
    try {
      return new Decimal(match[0])
    } catch (error) {
      throw new SyntaxError(`JSON with ${(error as Error).message}`)
    }
  }

  #wordOrNumber(): Json {
    for (const [word, value] of WORDS) {
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length
        return value
      }
    }
    return this.#number()
  }

  #has(sign: string): boolean {
    this.#skip()
    if (this.#text[this.#at] !== sign) return false
    this.#at += 1
    return true
  }

  #expect(sign: string): void {
    if (!this.#has(sign)) throw this.#error()
  }

  #skip(): void {
    SPACE.lastIndex = this.#at
    SPACE.test(this.#text)
    this.#at = SPACE.lastIndex
  }

  #error(): SyntaxError {
    const found = this.#text[this.#at]
    return new SyntaxError(found === undefined ? 'JSON ends too early' : `JSON has ${found} at ${this.#at}`)
  }
}
