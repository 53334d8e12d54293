/** A real exchange for tests: the executable in a folder of its own, on free ports. */

import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import assert from 'node:assert/strict'

import { Client, type ClientOptions } from 'bellwether-exchange'

import { until } from './until.js'

const PATIENCE_SECONDS = 120

/** More than a test sends, so that rate limits do not interfere. */
const PER_SECOND = 1_000_000

interface Person {
  readonly email: string
  readonly password: string
  readonly publicKey: string
  readonly secretKey: string
}

interface DemoRecord {
  readonly baseUrl: string
  readonly users: readonly Person[]
}

/** The executable under test. */
export function executable(): string {
  const named = process.env['BELLWETHER']
  if (!named) throw new Error('set BELLWETHER to the path of the bellwether executable')
  return resolve(named)
}

/** A running demo without bots: nothing happens unless a test does it. */
export class Exchange {
  readonly folder: string
  readonly record: DemoRecord
  readonly #process: ChildProcess
  readonly #ended: Promise<number | null>

  constructor(folder: string, process: ChildProcess, ended: Promise<number | null>) {
    this.folder = folder
    this.record = JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8')) as DemoRecord
    this.#process = process
    this.#ended = ended
  }

  get baseUrl(): string {
    return this.record.baseUrl
  }

  /** Host and port. */
  get address(): string {
    return new URL(this.baseUrl).host
  }

  get demoFile(): string {
    return join(this.folder, 'demo.json')
  }

  /** The n-th person, from 1. */
  person(number: number): Person {
    const person = this.record.users[number - 1]
    assert(person)
    return person
  }

  /** A client of the n-th person, from 1. */
  client(number: number, options: ClientOptions & { readonly baseUrl?: string } = {}): Client {
    const { publicKey, secretKey } = this.person(number)
    return new Client({ baseUrl: this.baseUrl, publicKey, secretKey, ...options })
  }

  /** Stops it in order. Its exit code says whether the replayed journal has the digest of the served state. */
  async stop(): Promise<void> {
    this.#process.kill('SIGTERM')
    const code = await this.#ended
    assert.equal(code, 0, `exit code ${code}:\n${logOf(this.folder)}`)
  }

  async kill(): Promise<void> {
    this.#process.kill('SIGKILL')
    await this.#ended
  }
}

const temporary: string[] = []
const processes = new Set<ChildProcess>()

/** A folder that is removed when the tests end. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bellwether-sdk-'))
  temporary.push(folder)
  return folder
}

// A failed run must leave no process and no folder.
process.on('exit', () => {
  for (const child of processes) child.kill('SIGKILL')
  for (const folder of temporary) rmSync(folder, { recursive: true, force: true })
})

/** Starts the executable and waits for its record. */
export async function start(
  folder = join(temporaryFolder(), 'data'),
  options: { readonly listen?: string; readonly perSecond?: number } = {},
): Promise<Exchange> {
  mkdirSync(folder, { recursive: true })
  rmSync(join(folder, 'demo.json'), { force: true })
  const { listen = '127.0.0.1:0', perSecond = PER_SECOND } = options
  const words = ['demo', '--no-bots', '--listen', listen, '--admin-listen', '127.0.0.1:0', '--data', folder]
  words.push('--low-disk-mib', '0')
  for (const limit of ['read', 'write', 'public']) words.push(`--${limit}-per-second`, String(perSecond))
  const log = openSync(`${folder}.log`, 'a')
  const child = spawn(executable(), words, { stdio: ['ignore', log, log] })
  closeSync(log)
  processes.add(child)
  let hasEnded = false
  const ended = new Promise<number | null>((resolve) => {
    child.once('exit', (code) => {
      hasEnded = true
      processes.delete(child)
      resolve(code)
    })
  })
  await until('the start of the exchange', PATIENCE_SECONDS, () => {
    assert(!hasEnded, `the exchange did not start:\n${logOf(folder)}`)
    return existsSync(join(folder, 'demo.json'))
  })
  return new Exchange(folder, child, ended)
}

function logOf(folder: string): string {
  return readFileSync(`${folder}.log`, 'utf8')
}
