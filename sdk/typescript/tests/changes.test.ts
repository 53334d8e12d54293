/** The recipe of the channel `changes`, message by message, and with random histories. */

import assert from 'node:assert/strict'
import { test } from 'node:test'

import {
  Decimal,
  LocalAccount,
  LocalBook,
  Room,
  UnreadableAnswer,
  type Json,
  type JsonObject,
} from 'bellwether-exchange'

import { Chance } from './chance.js'

const ROOM = 'changes:m:USD'

function room(): Room<LocalBook> {
  return new Room(ROOM, new LocalBook('m', 'USD'))
}

function message(type: string, sequence: number, more: JsonObject): JsonObject {
  return { type, room: ROOM, sequence: new Decimal(sequence), timestamp: new Decimal(1), ...more }
}

function snapshot(sequence: number, data: JsonObject = {}): JsonObject {
  return message('snapshot', sequence, { data })
}

function delta(sequence: number, previous: number, data: JsonObject = {}): JsonObject {
  return message('delta', sequence, { data, previousSequence: new Decimal(previous) })
}

function heartbeat(sequence: number, head: number): JsonObject {
  return message('heartbeat', sequence, { head: new Decimal(head) })
}

function levels(...pairs: [string, string][]): Json {
  return pairs.map(([price, quantity]) => ({ price: new Decimal(price), quantity: new Decimal(quantity) }))
}

function shown(side: readonly { price: Decimal; quantity: Decimal }[]): string {
  return side.map(({ price, quantity }) => `${quantity} @ ${price}`).join(', ')
}

test('a book is not trusted before its first snapshot', () => {
  const following = room()
  assert(!following.copy.isTrusted)
  assert.equal(following.accept(delta(5, 4, { bids: levels(['0.4', '1']) })), undefined)
  assert.equal(following.resumeFrom, undefined)
  assert.deepEqual(following.copy.bids(), [])
})

test('levels are absolute and zero removes one', () => {
  const following = room()
  following.accept(snapshot(5, { bids: levels(['0.4', '10'], ['0.39', '5']), asks: levels(['0.45', '7']) }))
  following.accept(delta(8, 5, { bids: levels(['0.40', '0'], ['0.38', '2']), asks: levels(['0.450', '9']) }))
  const book = following.copy
  assert.equal(shown(book.bids()), '5 @ 0.39, 2 @ 0.38')
  assert.equal(shown(book.asks()), '9 @ 0.45')
  assert.equal(String(book.mid()), '0.42')
  assert.equal(shown(book.bids('NO')), '9 @ 0.55')
  assert.equal(shown(book.asks('NO')), '5 @ 0.61, 2 @ 0.62')
  assert.deepEqual([book.isTrusted, book.sequence], [true, 8])
  assert.throws(() => book.bids('MAYBE' as 'YES'), RangeError)
})

test('a delta that the book has is ignored', () => {
  const following = room()
  following.accept(snapshot(5, { bids: levels(['0.4', '10']) }))
  assert.equal(following.accept(delta(5, 4, { bids: levels(['0.4', '0']) })), undefined)
  assert.equal(following.copy.bids().length, 1)
})

test('a missing delta is noticed and ends the trust', () => {
  const following = room()
  following.accept(snapshot(5, { bids: levels(['0.4', '10']) }))
  assert.equal(following.accept(delta(9, 7, { bids: levels(['0.4', '3']) }))?.kind, 'untrusted')
  assert.deepEqual([following.copy.isTrusted, following.needsRestart, following.resumeFrom], [false, true, undefined])
  assert.equal(shown(following.copy.bids()), '10 @ 0.4')
  assert.equal(following.accept(delta(10, 9, { bids: levels(['0.4', '2']) })), undefined)
  following.accept(snapshot(12, { bids: levels(['0.5', '1']) }))
  assert.deepEqual([following.copy.isTrusted, following.needsRestart, following.resumeFrom], [true, false, 12])
})

test('a heartbeat confirms, and notices a missing delta', () => {
  const following = room()
  following.accept(snapshot(5))
  const update = following.accept(heartbeat(5, 40))
  assert.deepEqual([update?.kind, update?.head, following.resumeFrom], ['heartbeat', 40, 40])
  assert.equal(following.accept(delta(44, 5))?.kind, 'delta')
  assert.equal(following.accept(heartbeat(50, 60))?.kind, 'untrusted')
})

test('a change that a heartbeat denied starts the book over', () => {
  const following = room()
  following.accept(snapshot(5))
  following.accept(heartbeat(5, 40))
  following.accept(delta(30, 5))
  assert(following.needsRestart)
})

test('a delta after a resumption from a head may name an older one', () => {
  const following = room()
  following.accept(snapshot(5, { bids: levels(['0.4', '10']) }))
  following.accept(heartbeat(5, 40))
  following.distrust('cut')
  assert.equal(following.resumeFrom, 40)
  assert.equal(following.accept(delta(41, 5, { bids: levels(['0.4', '4']) }))?.kind, 'delta')
  assert(following.copy.isTrusted)
  assert.equal(shown(following.copy.bids()), '4 @ 0.4')
})

test('a disconnect is reported once', () => {
  const following = room()
  following.accept(snapshot(5))
  const first = following.distrust('cut')
  assert.deepEqual([first?.kind, first?.reason], ['untrusted', 'cut'])
  assert.equal(following.distrust('cut again'), undefined)
  assert.equal(following.copy.trust.reason, 'cut again')
})

test('a snapshot discards everything before', () => {
  const following = room()
  const lastTrade = { price: new Decimal('0.4'), side: 'BUY' }
  following.accept(snapshot(5, { bids: levels(['0.4', '10']), lastTrade }))
  assert.equal(String(following.copy.lastPrice), '0.4')
  following.accept(snapshot(9, { asks: levels(['0.5', '1']) }))
  assert.deepEqual([following.copy.bids(), following.copy.lastPrice], [[], undefined])
})

test('announced terms stay until others replace them', () => {
  const following = room()
  const terms = { feePercentage: new Decimal('2'), minimumOrderAmount: new Decimal('1') }
  const announcedTerms = { ...terms, feePercentage: new Decimal('9'), from: '2030-01-01T01:00:00Z' }
  following.accept(snapshot(5, { terms: { ...terms, announcedTerms } }))
  following.accept(delta(6, 5, { bids: levels(['0.4', '10']) }))
  const shown = following.copy.terms
  assert.deepEqual([String(shown?.feePercentage), String(shown?.announcedTerms?.feePercentage)], ['2', '9'])
  assert.equal(shown?.announcedTerms?.from.toISOString(), '2030-01-01T01:00:00.000Z')
  following.accept(delta(7, 6, { terms: { ...terms, feePercentage: new Decimal('9') } }))
  const applied = following.copy.terms
  assert.deepEqual([String(applied?.feePercentage), applied?.announcedTerms], ['9', undefined])
})

test('a delta that cannot be read starts the book over', () => {
  const following = room()
  following.accept(snapshot(5))
  assert.throws(() => following.accept(delta(6, 5, { bids: [{ price: new Decimal('0.4') }] })), UnreadableAnswer)
  assert.equal(following.resumeFrom, undefined)
})

test('an account has wallets and positions of the last change', () => {
  const account = new LocalAccount()
  const position = (balance: number) => ({
    ...{ marketId: 'm', outcomeId: 'o', outcome: 'YES', currency: 'USD' },
    ...{ balance: new Decimal(balance), availableBalance: new Decimal(balance), cost: new Decimal(4) },
  })
  const wallet = { currency: 'USD', availableBalance: new Decimal('99.5'), pendingBalance: new Decimal(0) }
  account.apply({ wallets: [wallet], positions: [position(9)] })
  assert.deepEqual(account.wallets.get('USD'), { available: new Decimal('99.5'), pending: new Decimal(0) })
  assert.equal(String(account.position('o')?.balance), '9')
  account.apply({ positions: [position(0)] })
  assert.deepEqual(account.positions, [])
})

const STEPS = 300
const KEPT_DELTAS = 12

/** A book that changes, the deltas that are still stored, and the book at every sequence. */
class SimulatedVenue {
  readonly past = new Map<number, string>()
  readonly #chance: Chance
  readonly #book = new Map<number, number>()
  #sequence = 10
  #last = 10
  #deltas: { sequence: number; previous: number; message: JsonObject }[] = []

  constructor(chance: Chance) {
    this.#chance = chance
    this.past.set(this.#sequence, '')
  }

  workElsewhere(): void {
    this.#sequence += this.#chance.integer(1, 3)
  }

  change(): JsonObject {
    this.workElsewhere()
    const changed = Array.from({ length: this.#chance.integer(1, 3) }, () => {
      const [cents, quantity] = [this.#chance.integer(1, 8), this.#chance.integer(0, 3)]
      if (quantity === 0) this.#book.delete(cents)
      else this.#book.set(cents, quantity)
      return level(cents, quantity)
    })
    const made = delta(this.#sequence, this.#last, { bids: changed })
    this.#deltas.push({ sequence: this.#sequence, previous: this.#last, message: made })
    this.#deltas = this.#deltas.slice(-KEPT_DELTAS)
    this.#last = this.#sequence
    this.past.set(this.#sequence, this.text())
    return made
  }

  heartbeat(): JsonObject {
    return heartbeat(this.#last, this.#sequence)
  }

  /** The answer to a subscription: all missed deltas, or a snapshot. */
  subscribe(resumeFrom: number | undefined): JsonObject[] {
    if (resumeFrom !== undefined) {
      const missed = this.#deltas.filter((delta) => delta.sequence > resumeFrom)
      const [first] = missed
      const isWhole = resumeFrom >= this.#last || (first !== undefined && first.previous <= resumeFrom)
      if (isWhole) return missed.map((delta) => delta.message)
    }
    return [snapshot(this.#sequence, { bids: [...this.#book].map(([cents, quantity]) => level(cents, quantity)) })]
  }

  text(): string {
    return shown([...this.#book].sort(([a], [b]) => b - a).map(([cents, quantity]) => level(cents, quantity)))
  }

  at(sequence: number): string | undefined {
    return this.past.get(Math.max(...[...this.past.keys()].filter((known) => known <= sequence)))
  }
}

function level(cents: number, quantity: number) {
  return { price: new Decimal(cents).dividedBy(100), quantity: new Decimal(quantity) }
}

function deliver(following: Room<LocalBook>, venue: SimulatedVenue, messages: readonly JsonObject[]): void {
  for (const message of messages) {
    const wasBroken = following.needsRestart
    following.accept(message)
    if (following.copy.isTrusted) assert.equal(shown(following.copy.bids()), venue.at(following.copy.sequence))
    if (following.needsRestart && !wasBroken) assert(!following.copy.isTrusted)
  }
}

test('a trusted book is right whatever is lost or repeated', () => {
  for (let seed = 0; seed < 40; seed += 1) {
    const chance = new Chance(seed)
    const venue = new SimulatedVenue(chance)
    const following = room()
    const resume = () => deliver(following, venue, venue.subscribe(following.resumeFrom))
    resume()
    for (let step = 0; step < STEPS; step += 1) {
      const luck = chance.fraction()
      if (luck < 0.1) {
        following.distrust('cut')
        for (let missed = chance.of([0, 1, 3, 2 * KEPT_DELTAS]); missed > 0; missed -= 1) venue.change()
        resume()
      } else if (luck < 0.2) {
        venue.workElsewhere()
        deliver(following, venue, [venue.heartbeat()])
      } else if (luck < 0.3) {
        // Lost.
        venue.change()
      } else {
        const change = venue.change()
        deliver(following, venue, luck < 0.4 ? [change, change] : [change])
      }
      if (following.needsRestart && chance.fraction() < 0.5) resume()
    }
    following.distrust('cut')
    const missed = venue.subscribe(following.resumeFrom)
    deliver(following, venue, missed.length > 0 ? missed : [venue.heartbeat()])
    assert(following.copy.isTrusted)
    assert.equal(shown(following.copy.bids()), venue.text())
  }
})
