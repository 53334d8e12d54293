/**
 * A TCP proxy that cuts connections at chosen bytes.
 *
 * It forwards bytes between clients and the exchange. `cut` names a direction, a kind of connection and a number of
 * bytes: after that many more bytes the connection that carries them is cut, in the middle of whatever they are.
 */

import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

export type Direction = 'to the exchange' | 'to the client'
export type Kind = 'http' | 'stream'

interface Cut {
  readonly direction: Direction
  readonly kind: Kind
  readonly isReset: boolean
  bytesLeft: number
  done(): void
}

/** A client's connection and the exchange's. */
class Link {
  kind: Kind | undefined
  readonly #sockets: readonly Socket[]

  constructor(...sockets: Socket[]) {
    this.#sockets = sockets
  }

  /** Ends both connections, with a reset or in order. */
  end(isReset: boolean): void {
    for (const socket of this.#sockets) {
      if (isReset && !socket.destroyed) socket.resetAndDestroy()
      else socket.destroy()
    }
  }
}

export class CuttingProxy {
  readonly cuts: Record<Kind, number> = { http: 0, stream: 0 }
  readonly #target: URL
  readonly #server: Server
  readonly #links = new Set<Link>()
  #due: Cut | undefined

  private constructor(target: string) {
    this.#target = new URL(target)
    this.#server = createServer((client) => this.#accept(client))
  }

  static async start(target: string): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(target)
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve))
    return proxy
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  stop(): void {
    this.#server.close()
    for (const link of this.#links) link.end(false)
  }

  /** Plans one cut. The promise resolves when it has happened. */
  cut(direction: Direction, kind: Kind, afterBytes: number, isReset: boolean): Promise<void> {
    return new Promise((done) => {
      this.#due = { direction, kind, isReset, bytesLeft: afterBytes, done }
    })
  }

  /** Ends all streams. */
  endStreams(): void {
    for (const link of this.#links) if (link.kind === 'stream') link.end(false)
  }

  #accept(client: Socket): void {
    const far = connect(Number(this.#target.port), this.#target.hostname)
    const link = new Link(client, far)
    this.#links.add(link)
    this.#pipe(link, 'to the exchange', client, far)
    this.#pipe(link, 'to the client', far, client)
  }

  #pipe(link: Link, direction: Direction, from: Socket, to: Socket): void {
    from.setNoDelay(true)
    from.on('data', (data) => {
      link.kind ??= data.subarray(0, 7).toString('latin1') === 'GET /ws' ? 'stream' : 'http'
      const kept = this.#passing(link, direction, data)
      const due = kept.length < data.length ? this.#take() : undefined
      if (!due) {
        to.write(kept)
        return
      }
      // The bytes before the cut arrive, and none after it.
      from.pause()
      to.write(kept, () => this.#execute(link, due))
    })
    // The cut itself causes errors here.
    from.on('error', () => link.end(false))
    from.on('close', () => {
      link.end(false)
      this.#links.delete(link)
    })
  }

  /** The bytes before a due cut; all if none is due here. */
  #passing(link: Link, direction: Direction, data: Buffer): Buffer {
    const due = this.#due
    if (!due || due.direction !== direction || due.kind !== link.kind) return data
    const kept = data.subarray(0, due.bytesLeft)
    due.bytesLeft -= kept.length
    return kept
  }

  #take(): Cut | undefined {
    const due = this.#due
    this.#due = undefined
    return due
  }

  #execute(link: Link, due: Cut): void {
    this.cuts[due.kind] += 1
    link.end(due.isReset)
    due.done()
  }
}
