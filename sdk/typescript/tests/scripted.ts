/** A server that answers with a script: what arrives is recorded, what goes back is planned. */

import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A status and a body; or "drop": the connection ends without an answer; or "cut": in the middle of one. */
export type Reply = readonly [number, unknown] | 'drop' | 'cut'

/** A request that arrived. */
export interface Seen {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export class Scripted {
  readonly seen: Seen[] = []
  readonly #server: Server
  readonly #replies: readonly Reply[]
  readonly #headers: Readonly<Record<string, string>>

  private constructor(replies: readonly Reply[], headers: Readonly<Record<string, string>>) {
    this.#replies = replies
    this.#headers = headers
    this.#server = createServer((request, response) => {
      const parts: Buffer[] = []
      request.on('data', (part: Buffer) => parts.push(part))
      request.on('end', () => {
        const { method = '', url: path = '', headers } = request
        this.seen.push({ method, path, headers, body: Buffer.concat(parts).toString() })
        this.#answer(response)
      })
    })
  }

  static async start(replies: readonly Reply[], headers: Readonly<Record<string, string>> = {}): Promise<Scripted> {
    const scripted = new Scripted(replies, headers)
    await new Promise<void>((resolve) => scripted.#server.listen(0, '127.0.0.1', resolve))
    return scripted
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  stop(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  #answer(response: ServerResponse): void {
    const reply = this.#replies[Math.min(this.seen.length, this.#replies.length) - 1]
    if (reply === undefined || reply === 'drop') return void response.socket?.destroy()
    const [status, payload] = reply === 'cut' ? [200, {}] : reply
    const body = typeof payload === 'string' ? payload : JSON.stringify(payload)
    const length = Buffer.byteLength(body) + (reply === 'cut' ? 5 : 0)
    response.writeHead(status, { ...this.#headers, 'Content-Length': length })
    if (reply === 'cut') response.write(body, () => response.socket?.destroy())
    else response.end(body)
  }
}
