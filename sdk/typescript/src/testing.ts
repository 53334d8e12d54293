/**
 * A sandbox for tests, in Node: an exchange whose clock you move and whose faults you plant. `Sandbox.start()` runs
 * `bellwether sandbox` until you close it.
 */

import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { Client, type ClientOptions } from './client.js'

const PATIENCE_MILLIS = 120_000
const LOG_CHARACTERS = 4_000

/** The kinds of faults. Those that begin with `stream` happen to messages, the others to requests. */
export type FaultKind =
  | 'lost-answer'
  | 'twice'
  | 'delay'
  | '429'
  | '503'
  | 'unknown'
  | 'cut'
  | 'stream-cut'
  | 'stream-gap'
  | 'stream-duplicate'
  | 'stream-slow'

/** Which requests or messages a fault hits, and its parameters. */
export interface FaultConditions {
  readonly method?: string
  /** A path in which `*` stands for any characters. */
  readonly path?: string
  /** An id, a tag or a public key; for faults of requests alone. */
  readonly user?: string
  /** The first match that is hit; 1 by default. */
  readonly nth?: number
  /** How many are hit; 1 by default. */
  readonly count?: number
  readonly millis?: number
  readonly byte?: number
  readonly retryAfter?: number
  readonly committed?: boolean
}

/** How a sandbox is started. */
export interface SandboxOptions {
  /** Ids, secrets and prices follow from it; 1 by default. */
  readonly seed?: number
  /** The path of the executable: by default the variable `BELLWETHER`, else `bellwether` on the path. */
  readonly executable?: string
  /** Further flags; `--no-limits` by default. */
  readonly flags?: readonly string[]
}

/** A user of the sandbox, with its key. */
export interface SandboxUser {
  readonly userId: string
  readonly tag: string
  readonly email: string
  readonly publicKey: string
  readonly secretKey: string
}

/** The clock of a sandbox. */
export interface ClockState {
  readonly now: string
  readonly sequence: number
  readonly running: boolean
  /** Why a clock that ran has stopped by itself. */
  readonly failure?: string
  /** False once the clock has run at a speed. */
  readonly deterministic: boolean
}

interface Addresses {
  readonly baseUrl: string
  readonly adminUrl: string
  readonly sandboxUrl: string
  readonly operatorToken: string
}

/** A planted fault. */
export class Fault {
  readonly id: number
  readonly #sandbox: Sandbox

  constructor(sandbox: Sandbox, id: number) {
    this.#sandbox = sandbox
    this.id = id
  }

  /** How many requests or messages have matched, and how many of them were hit. */
  async counts(): Promise<{ seen: number; fired: number }> {
    const { faults } = await this.#sandbox.request<{ faults: { id: number; seen: number; fired: number }[] }>(
      'GET',
      '/faults',
    )
    const found = faults.find((fault) => fault.id === this.id)
    if (!found) throw new Error(`fault ${this.id} is removed`)
    return { seen: found.seen, fired: found.fired }
  }

  /** Removes the fault. */
  async remove(): Promise<void> {
    await this.#sandbox.request('DELETE', `/faults/${this.id}`)
  }
}

/** A sandbox that runs. Its clock stands unless you move it. */
export class Sandbox {
  readonly baseUrl: string
  readonly adminUrl: string
  readonly sandboxUrl: string
  readonly operatorToken: string
  readonly #process: ChildProcess
  readonly #folder: string

  private constructor(addresses: Addresses, process: ChildProcess, folder: string) {
    this.baseUrl = addresses.baseUrl
    this.adminUrl = addresses.adminUrl
    this.sandboxUrl = addresses.sandboxUrl
    this.operatorToken = addresses.operatorToken
    this.#process = process
    this.#folder = folder
  }

  /** Starts `bellwether sandbox` on free ports, in a folder of its own. */
  static async start(options: SandboxOptions = {}): Promise<Sandbox> {
    const { seed = 1, executable = process.env['BELLWETHER'] || 'bellwether', flags = ['--no-limits'] } = options
    const folder = mkdtempSync(join(tmpdir(), 'bellwether-sandbox-'))
    const data = join(folder, 'data')
    const words = ['sandbox', '--data', data, '--seed', String(seed)]
    for (const listener of ['--listen', '--admin-listen', '--sandbox-listen']) words.push(listener, '127.0.0.1:0')
    const log = openSync(join(folder, 'log'), 'a')
    const child = spawn(executable, [...words, ...flags], { stdio: ['ignore', log, log] })
    closeSync(log)
    let failure: string | undefined
    child.once('error', (error) => (failure = error.message))
    child.once('exit', (code) => (failure ??= `exit code ${code}`))
    const deadline = Date.now() + PATIENCE_MILLIS
    for (;;) {
      const addresses = readJson<Addresses>(join(data, 'sandbox-addresses.json'))
      if (addresses) return new Sandbox(addresses, child, folder)
      if (failure !== undefined || Date.now() > deadline) {
        child.kill('SIGKILL')
        const said = endOfLog(folder)
        rmSync(folder, { recursive: true, force: true })
        throw new Error(`the sandbox did not start: ${failure ?? 'it takes too long'}\n${said}`)
      }
      await sleep(10)
    }
  }

  /** Stops it, and removes its folder. It is gone afterwards, also if it did not stop well. */
  async close(): Promise<void> {
    const { exitCode, signalCode } = this.#process
    try {
      if (exitCode === null && signalCode === null) await this.#stop()
    } finally {
      rmSync(this.#folder, { recursive: true, force: true })
    }
  }

  async #stop(): Promise<void> {
    const ended = new Promise<number | null>((resolve) => this.#process.once('exit', resolve))
    let isKilled = false
    const patience = setTimeout(() => (isKilled = this.#process.kill('SIGKILL')), PATIENCE_MILLIS)
    this.#process.kill('SIGTERM')
    const code = await ended
    clearTimeout(patience)
    const how = isKilled ? 'did not stop and was killed' : `ended with exit code ${code}`
    if (code !== 0) throw new Error(`the sandbox ${how}\n${endOfLog(this.#folder)}`)
  }

  /** Makes a user with a key and money. */
  async user(tag?: string): Promise<SandboxUser> {
    return await this.request('POST', '/users', tag === undefined ? {} : { tag })
  }

  /** A client of a user. Without a user, or with a tag, it makes one. */
  async client(user?: SandboxUser | string, options: ClientOptions = {}): Promise<Client> {
    const { publicKey, secretKey } = typeof user === 'object' ? user : await this.user(user)
    return new Client({ baseUrl: this.baseUrl, publicKey, secretKey, ...options })
  }

  /** The clock. */
  async clock(): Promise<ClockState> {
    return await this.request('GET', '/clock')
  }

  /** Moves the clock. Everything that is due happens before this resolves. */
  async advance(seconds: number): Promise<ClockState> {
    return await this.request('POST', '/clock/advance', { millis: Math.round(seconds * 1000) })
  }

  /** Moves the clock to the closing date of an event, given by slug or id. */
  async jumpToClose(event: string): Promise<ClockState> {
    return await this.request('POST', '/clock/jump', { event })
  }

  /** Lets the clock run: so many seconds of the venue in a second of the machine. Not deterministic. */
  async run(speed: number): Promise<ClockState> {
    return await this.request('POST', '/clock/run', { speed })
  }

  /** Stops a clock that runs. */
  async freeze(): Promise<ClockState> {
    return await this.request('POST', '/clock/stop')
  }

  /** Plants a fault, such as `fault('lost-answer', { method: 'POST', path: '*\/orders' })`. */
  async fault(kind: FaultKind, conditions: FaultConditions = {}): Promise<Fault> {
    const { id } = await this.request<{ id: number }>('POST', '/faults', { fault: kind, ...conditions })
    return new Fault(this, id)
  }

  /** Lets a counterparty trade with a resting order, completely or by `quantity`. */
  async fill(orderId: string, quantity?: number): Promise<void> {
    await this.request('POST', '/fill', quantity === undefined ? { orderId } : { orderId, quantity })
  }

  /** Lets a counterparty trade a book to a price. */
  async setPrice(marketId: string, price: number): Promise<void> {
    await this.request('POST', '/price', { marketId, price })
  }

  /** Ends an event: the market `winner` as YES, all others as NO. */
  async resolve(event: string, winner?: string): Promise<void> {
    await this.request('POST', '/resolve', winner === undefined ? { event } : { event, winner })
  }

  /** Adds a virtual trader (maker, noise, informed or toxic), and returns its name. */
  async trader(behaviour: string, marketId: string, settings: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const { name } = await this.request<{ name: string }>('POST', '/traders', { behaviour, marketId, ...settings })
    return name
  }

  /** Takes a snapshot of the whole venue, and returns its name. */
  async snapshot(): Promise<string> {
    return (await this.request<{ name: string }>('POST', '/snapshots', {})).name
  }

  /** Returns to a snapshot. */
  async returnTo(snapshot: string): Promise<void> {
    await this.request('POST', `/snapshots/${snapshot}/return`)
  }

  /** Begins again, without faults. */
  async reset(): Promise<void> {
    await this.request('POST', '/reset')
  }

  /** Sends a request to the sandbox's own API. */
  async request<T = unknown>(method: string, path: string, body?: object): Promise<T> {
    const init: RequestInit = body === undefined ? { method } : { method, body: JSON.stringify(body) }
    const answer = await fetch(`${this.sandboxUrl}/sandbox/v1${path}`, init)
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return JSON.parse(text) as T
  }
}

/** The end of what the process has printed. */
function endOfLog(folder: string): string {
  return readFileSync(join(folder, 'log'), 'utf8').slice(-LOG_CHARACTERS)
}

/** The value of a JSON file that may not be there yet, or not be complete. */
function readJson<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T
  } catch {
    return undefined
  }
}
