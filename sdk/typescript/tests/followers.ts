/** Followers of a stream that remember every state of its local copy, to compare with reads of the exchange. */

import type { AccountStream, LocalAccount, LocalBook, MarketStream } from 'bellwether-exchange'

import { within } from './until.js'

const PATIENCE_SECONDS = 60

/** A copy after one update. Values are texts, so that they can be compared. */
interface State {
  readonly kind: string
  readonly sequence: number
  readonly head: number
  readonly value: Readonly<Record<string, string>>
}

/** Follows a stream. `look` makes comparable texts of its copy. */
export class Follower {
  readonly #stream: MarketStream | AccountStream
  readonly #look: () => Record<string, string>
  readonly #states: State[] = []
  #news: () => void = () => undefined

  constructor(stream: MarketStream | AccountStream, look: () => Record<string, string>) {
    this.#stream = stream
    this.#look = look
  }

  /** Reads until the stream is closed. */
  async run(): Promise<void> {
    for await (const { kind, sequence, head } of this.#stream) {
      this.#states.push({ kind, sequence, head, value: this.#look() })
      this.#news()
    }
  }

  /** The text at a sequence. Undefined: a snapshot skipped it. */
  async at(sequence: number, name: string): Promise<string | undefined> {
    while ((this.#states.at(-1)?.head ?? -1) < sequence) {
      const news = new Promise<void>((resolve) => (this.#news = resolve))
      await within(`sequence ${sequence} in a stream`, PATIENCE_SECONDS, news)
    }
    const later = this.#states.findIndex((state) => state.sequence > sequence)
    const last = later === -1 ? this.#states.length : later
    if (last === 0 || this.#states[last]?.kind === 'snapshot') return undefined
    return this.#states[last - 1]?.value[name]
  }
}

/** All levels of a book. */
export function bookText(book: Pick<LocalBook, 'bids' | 'asks'>): string {
  return levelsText(book.bids(), book.asks())
}

export function levelsText(...sides: readonly (readonly { price: unknown; quantity: unknown }[])[]): string {
  const side = (levels: (typeof sides)[number]) =>
    levels.map((level) => `${String(level.quantity)} @ ${String(level.price)}`).join(', ')
  return sides.map(side).join(' | ')
}

/** The size of each order that rests and has no fill. */
export function openOrdersText(account: LocalAccount): string {
  const open = [...account.orders.values()].filter((order) => order.status === 'open')
  return ordersText(open)
}

export function ordersText(orders: readonly { id: string; size: unknown }[]): string {
  return orders
    .map((order) => `${order.id} ${String(order.size)}`)
    .sort()
    .join(', ')
}

/** Free and held dollars. */
export function dollarsText(account: LocalAccount): string {
  const wallet = account.wallets.get('USD')
  return `${wallet?.available} ${wallet?.pending}`
}
