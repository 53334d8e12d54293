/**
 * What differs between Node and browsers. Node's own modules are looked up at run time: nothing here imports them, so a
 * browser loads these files as they are, with or without a bundler.
 */

import { BellwetherError } from './errors.js'

interface Builtins {
  'node:crypto': typeof import('node:crypto')
  'node:fs': typeof import('node:fs')
  'node:http': typeof import('node:http')
  'node:https': typeof import('node:https')
}

interface NodeProcess {
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly versions?: { readonly node?: string }
  readonly getBuiltinModule?: (name: string) => unknown
}

const nodeProcess = (globalThis as { process?: NodeProcess }).process

/** Whether this is Node. */
export const isNode = nodeProcess?.versions?.node !== undefined && nodeProcess.getBuiltinModule !== undefined

/** A module of Node. */
export function builtin<Name extends keyof Builtins>(name: Name): Builtins[Name] {
  const found = nodeProcess?.getBuiltinModule?.(name)
  if (!found) throw new BellwetherError(`${name} is not available here: this needs Node 20.19 or newer`)
  return found as Builtins[Name]
}

/** A variable of the environment; undefined in a browser. */
export function environment(name: string): string | undefined {
  return nodeProcess?.env?.[name] || undefined
}

/** 32 random hexadecimal digits: an idempotency key, or the id of a trace. */
export function randomId(): string {
  return hexOf(crypto.getRandomValues(new Uint8Array(16)))
}

/** Bytes as lower-case hexadecimal digits. */
export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Waits. An aborted signal ends the wait early, without an error. */
export function sleep(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, seconds * 1000)
    signal?.addEventListener('abort', done)
  })
}
