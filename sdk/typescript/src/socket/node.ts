/**
 * A WebSocket over Node's HTTP client. Node itself has a `WebSocket` only since version 22, and it hides the status of
 * a refusal. This one sees the status, and stops reading while its reader is behind, so that memory stays bounded.
 */

import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

import { builtin } from '../platform.js'
import { VERSION } from '../wire.js'
import { clientFrame, closePayload, FrameReader, OPCODES, ProtocolError, type Incoming } from './frames.js'
import { Disconnected, Inbox, StreamNotAccepted, type Socket } from './inbox.js'

/** The constant of the protocol for the answer to a handshake. */
const HANDSHAKE = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

/** Reading pauses at this many waiting messages, and continues at the lower bound. */
const WAITING_MAX = 1000
const WAITING_LOW = 100

/** How long a closed connection may stay open for the other side's answer. */
const CLOSE_MILLISECONDS = 1000

/** Connects to a stream. The exchange sends pings, so this side sends none. */
export function openNodeSocket(url: string, seconds: number): Promise<Socket> {
  const { createHash, randomBytes } = builtin('node:crypto')
  const key = randomBytes(16).toString('base64')
  const expected = createHash('sha1').update(key + HANDSHAKE).digest('base64')
  return new Promise((resolve, reject) => {
    const request = start(url, key)
    const giveUp = () => request.destroy(new Error(`no connection within ${seconds} seconds`))
    const timer = setTimeout(giveUp, seconds * 1000)
    request.once('upgrade', (response: IncomingMessage, socket: Duplex, head: Buffer) => {
      clearTimeout(timer)
      if (response.headers['sec-websocket-accept'] !== expected) {
        socket.destroy()
        return reject(new Disconnected('an answer that is not of a WebSocket'))
      }
      resolve(new NodeSocket(socket, head))
    })
    request.once('response', (response: IncomingMessage) => {
      clearTimeout(timer)
      request.destroy()
      reject(notAccepted(response.statusCode ?? 0))
    })
    request.on('error', (error: Error) => {
      clearTimeout(timer)
      reject(new Disconnected(describe(error)))
    })
    request.end()
  })
}

function start(url: string, key: string): ClientRequest {
  const address = new URL(url)
  const isSecure = address.protocol === 'wss:'
  address.protocol = isSecure ? 'https:' : 'http:'
  const options = {
    headers: {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Key': key,
      'Sec-WebSocket-Version': '13',
      'User-Agent': `bellwether-typescript/${VERSION}`,
    },
    // A connection of its own, not one of the pool.
    agent: false as const,
  }
  return isSecure ? builtin('node:https').request(address, options) : builtin('node:http').request(address, options)
}

function notAccepted(status: number): Error {
  const isPassing = status >= 500 || status === 408 || status === 429
  return isPassing ? new Disconnected(`status ${status}`) : new StreamNotAccepted(`status ${status}`)
}

class NodeSocket implements Socket {
  readonly #socket: Duplex
  readonly #inbox = new Inbox()
  readonly #reader = new FrameReader()
  #isClosing = false

  constructor(socket: Duplex, head: Uint8Array) {
    this.#socket = socket
    if ('setNoDelay' in socket && typeof socket.setNoDelay === 'function') socket.setNoDelay(true)
    socket.on('data', (bytes: Uint8Array) => this.#take(bytes))
    socket.on('error', (error) => this.#inbox.finish(describe(error)))
    socket.on('end', () => this.#end('the connection ended'))
    socket.on('close', () => this.#inbox.finish('the connection ended'))
    if (head.length > 0) this.#take(head)
  }

  send(text: string): void {
    if (this.#inbox.end !== undefined) throw new Disconnected(this.#inbox.end)
    this.#write(OPCODES.text, new TextEncoder().encode(text))
  }

  async receive(silenceSeconds: number): Promise<string> {
    const text = await this.#inbox.receive(silenceSeconds)
    if (this.#socket.isPaused() && this.#inbox.size <= WAITING_LOW) this.#socket.resume()
    return text
  }

  close(): void {
    if (!this.#isClosing && this.#inbox.end === undefined) this.#write(OPCODES.close, closePayload(1000))
    this.#end('the stream was closed')
  }

  #take(bytes: Uint8Array): void {
    if (this.#inbox.end !== undefined) return
    try {
      for (const incoming of this.#reader.read(bytes)) this.#handle(incoming)
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      this.#write(OPCODES.close, closePayload(1002))
      this.#end(error.message)
    }
    if (this.#inbox.size >= WAITING_MAX) this.#socket.pause()
  }

  #handle(incoming: Incoming): void {
    switch (incoming.kind) {
      case 'message':
        this.#inbox.push(incoming.text)
        break
      case 'ping':
        this.#inbox.touch()
        this.#write(OPCODES.pong, incoming.payload)
        break
      case 'close':
        this.#write(OPCODES.close, closePayload(incoming.code === 1005 ? 1000 : incoming.code))
        this.#isClosing = true
        this.#end(`closed with ${incoming.code} ${incoming.reason}`.trim())
        break
      case 'pong':
        break
    }
  }

  #write(opcode: number, payload: Uint8Array): void {
    if (this.#socket.writable) this.#socket.write(clientFrame(opcode, payload))
  }

  #end(reason: string): void {
    this.#inbox.finish(reason)
    this.#socket.end()
    // Without an answer from the other side the connection would stay half open. A paused socket would not see its end.
    this.#socket.resume()
    setTimeout(() => this.#socket.destroy(), CLOSE_MILLISECONDS).unref()
  }
}

function describe(error: Error): string {
  const code = (error as { code?: unknown }).code
  return typeof code === 'string' ? `${code}: ${error.message}` : error.message || error.name
}
