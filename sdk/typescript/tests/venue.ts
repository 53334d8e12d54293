/** A WebSocket server with a script, for streams that misbehave as planned. */

import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'

/** A message; or a text to send as it is; or "close": the connection ends; or raw bytes. */
export type Step = object | string | Uint8Array

/** Answers the n-th subscription with the n-th script, the last one again and again. */
export class Venue {
  readonly subscriptions: Record<string, unknown>[] = []
  readonly pongs: string[] = []
  readonly #scripts: readonly (readonly Step[])[]
  readonly #server: Server
  readonly #sockets = new Set<Duplex>()

  private constructor(scripts: readonly (readonly Step[])[]) {
    this.#scripts = scripts
    this.#server = createServer((_, response) => response.writeHead(403).end())
    this.#server.on('upgrade', (request, socket) => {
      const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`
      const accept = createHash('sha1').update(key).digest('base64')
      const lines = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade']
      socket.write([...lines, `Sec-WebSocket-Accept: ${accept}`, '', ''].join('\r\n'))
      this.#sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => this.#sockets.delete(socket))
      socket.write(textFrame(JSON.stringify({ type: 'connected', clientId: 'c', timestamp: 1 })))
      let pending: Buffer = Buffer.alloc(0)
      socket.on('data', (data: Buffer) => {
        pending = Buffer.concat([pending, data])
        for (let frame = takeFrame(pending); frame; frame = takeFrame(pending)) {
          pending = frame.rest
          this.#handle(socket, frame.opcode, frame.payload)
        }
      })
    })
  }

  static async start(...scripts: (readonly Step[])[]): Promise<Venue> {
    const venue = new Venue(scripts)
    await new Promise<void>((resolve) => venue.#server.listen(0, '127.0.0.1', resolve))
    return venue
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  stop(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  #handle(socket: Duplex, opcode: number, payload: Buffer): void {
    if (opcode === 10) this.pongs.push(payload.toString())
    if (opcode === 8) socket.end()
    if (opcode !== 1) return
    this.subscriptions.push(JSON.parse(payload.toString()) as Record<string, unknown>)
    const script = this.#scripts[Math.min(this.subscriptions.length, this.#scripts.length) - 1] ?? []
    for (const step of script) {
      if (step === 'close') socket.write(frame(8, Buffer.concat([Buffer.from([0x03, 0xf5]), Buffer.from('missed')])))
      else if (step instanceof Uint8Array) socket.write(step)
      else socket.write(textFrame(typeof step === 'string' ? step : JSON.stringify(step)))
    }
  }
}

/** A frame of a server. `isFinal` is false for a part of a message. */
export function frame(opcode: number, payload: Uint8Array, isFinal = true): Buffer {
  const head = Buffer.alloc(payload.length < 126 ? 2 : payload.length < 65_536 ? 4 : 10)
  head[0] = (isFinal ? 0x80 : 0) | opcode
  head[1] = payload.length < 126 ? payload.length : payload.length < 65_536 ? 126 : 127
  if (head.length === 4) head.writeUInt16BE(payload.length, 2)
  if (head.length === 10) head.writeBigUInt64BE(BigInt(payload.length), 2)
  return Buffer.concat([head, payload])
}

export function textFrame(text: string): Buffer {
  return frame(1, Buffer.from(text))
}

/** The first frame of a client; undefined if it has not arrived whole. */
export function takeFrame(bytes: Buffer) {
  if (bytes.length < 6) return undefined
  const short = bytes[1]! & 0x7f
  const start = short === 127 ? 10 : short === 126 ? 4 : 2
  if (bytes.length < start + 4) return undefined
  const length = short === 127 ? Number(bytes.readBigUInt64BE(2)) : short === 126 ? bytes.readUInt16BE(2) : short
  const end = start + 4 + length
  if (bytes.length < end) return undefined
  const mask = bytes.subarray(start, start + 4)
  const payload = Buffer.from(bytes.subarray(start + 4, end).map((byte, index) => byte ^ mask[index % 4]!))
  return { opcode: bytes[0]! & 0x0f, isMasked: (bytes[1]! & 0x80) !== 0, payload, rest: bytes.subarray(end) }
}
