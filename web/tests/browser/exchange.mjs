// Starts the executable under test on a free port with a folder of its own, and speaks to it as a program would.
import { execFile, spawn } from 'node:child_process'
import { createHash, createHmac, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { frontOf } from './pages-front.mjs'
import { until } from './until.mjs'

export const newFolder = () => mkdtemp(join(tmpdir(), 'bellwether-web-'))
export const removeFolder = (folder) => rm(folder, { recursive: true, force: true })

/** Runs a program to its end; answers what it printed. */
export const runProgram = async (program, words) => (await promisify(execFile)(program, words)).stdout

/** A folder that is given stays after the stop; without one, the exchange has its own for as long as it runs. */
export async function startExchange(executable, options = [], given = undefined) {
  const folder = given ?? (await newFolder())
  const record = join(folder, 'demo.json')
  // The record of an earlier start names addresses of the past.
  await rm(record, { force: true })
  const listening = ['--listen', '127.0.0.1:0', '--admin-listen', '127.0.0.1:0', '--log', 'warn']
  const child = spawn(executable, ['demo', '--data', folder, ...listening, ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stdout.on('data', (data) => (said += data))
  child.stderr.on('data', (data) => (said += data))
  const over = new Promise((resolve) => child.once('exit', resolve))
  const stop = async () => {
    child.kill('SIGTERM')
    await over
    if (!given) await removeFolder(folder)
  }
  try {
    await until(
      () => {
        if (child.exitCode !== null) throw new Error(`the exchange ended at its start:\n${said}`)
        return existsSync(record)
      },
      // A busy exchange lives through its past first.
      { what: 'demo.json', milliseconds: 240_000 },
    )
  } catch (error) {
    // The caller has no handle yet, so the process must be stopped here.
    await stop()
    throw error
  }
  const demo = JSON.parse(await readFile(record, 'utf8'))
  if (!process.env.PAGES && process.env.BROWSER !== 'firefox') return new Exchange(demo, stop)
  const fronts = await Promise.all([
    frontOf(demo.baseUrl, process.env.PAGES, 'index.html'),
    frontOf(demo.adminUrl, process.env.PAGES, 'operator.html'),
  ])
  const [baseUrl, adminUrl] = fronts.map((front) => front.url)
  return new Exchange({ ...demo, baseUrl, adminUrl }, async () => {
    for (const front of fronts) front.stop()
    await stop()
  })
}

class Exchange {
  constructor(demo, stop) {
    this.url = demo.baseUrl
    this.demo = demo
    this.stop = stop
  }

  user(name) {
    return this.demo.users.find((user) => user.email.startsWith(`${name}@`))
  }

  async read(path, user) {
    const response = await fetch(this.url + path, { headers: user ? { 'X-Public-Key': user.publicKey } : {} })
    return answerOf(response, path)
  }

  /** A signed request, as docs/api-guide.md describes it. Answers the response itself. */
  send(keys, method, path, body) {
    const bytes = body === undefined ? '' : JSON.stringify(body)
    const timestamp = String(Math.floor(Date.now() / 1000))
    const hash = bytes ? createHash('sha256').update(bytes).digest('hex') : ''
    const signature = createHmac('sha256', keys.secretKey)
      .update(`${timestamp}.${method}.${path.split('?')[0]}.${hash}`)
      .digest('base64')
    const headers = { 'X-Public-Key': keys.publicKey, 'X-Timestamp': timestamp, 'X-Signature': signature }
    if (bytes) headers['Content-Type'] = 'application/json'
    return fetch(this.url + path, { method, headers, ...(bytes ? { body: bytes } : {}) })
  }

  /** A read that a public key alone does not open. */
  async readSigned(path, user) {
    return answerOf(await this.send(user, 'GET', path), path)
  }

  async write(user, method, path, body) {
    return answerOf(await this.send(user, method, path, body), path)
  }

  place(user, event, market, order) {
    return this.write(user, 'POST', `/v1/pm/events/${event.id}/markets/${market.id}/orders`, order)
  }

  async quote(event, market, body) {
    const path = `/v1/pm/events/${event.id}/markets/${market.id}/quote`
    const response = await fetch(this.url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    return answerOf(response, path)
  }

  event(slug) {
    return this.read(`/v1/pm/events/slug/${slug}`)
  }

  async operate(method, path, body) {
    const headers = {
      Authorization: `Bearer ${this.demo.operatorToken}`,
      'Idempotency-Key': randomUUID(),
      'Content-Type': 'application/json',
    }
    const response = await fetch(this.demo.adminUrl + path, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return answerOf(response, path)
  }
}

async function answerOf(response, path) {
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
  return JSON.parse(text)
}
