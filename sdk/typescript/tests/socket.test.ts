/** Frames of WebSocket, and streams against a server that misbehaves: gaps, duplicates, silence, refusals. */

import assert from 'node:assert/strict'
import { test } from 'node:test'

import {
  BellwetherError,
  Client,
  StreamRefused,
  type FollowOptions,
  type MarketStream,
  type Update,
} from 'bellwether-exchange'
import { clientFrame, FrameReader, ProtocolError, type Incoming } from '#internal/socket/frames'

import { Chance } from './chance.js'
import { until, within } from './until.js'
import { frame, takeFrame, textFrame, Venue, type Step } from './venue.js'

test('messages arrive whole, however their bytes are split', () => {
  const chance = new Chance(5)
  for (let round = 0; round < 50; round += 1) {
    const lengths = [0, 1, 125, 126, 127, 65_535, 65_536, 70_000]
    const texts = Array.from({ length: 6 }, () => 'ü'.repeat(chance.of(lengths) / 2) + 'x')
    const bytes = Buffer.concat(
      texts.flatMap((text) => {
        const whole = Buffer.from(text)
        const middle = chance.integer(0, whole.length)
        if (chance.fraction() < 0.5) return [frame(1, whole)]
        const [head, tail] = [frame(1, whole.subarray(0, middle), false), frame(0, whole.subarray(middle))]
        return [head, frame(9, Buffer.from('p')), tail]
      }),
    )
    const reader = new FrameReader()
    const found: Incoming[] = []
    for (let at = 0; at < bytes.length; ) {
      const next = at + chance.integer(1, chance.of([1, 5, 40_000]))
      found.push(...reader.read(bytes.subarray(at, next)))
      at = next
    }
    const messages = found.filter((incoming) => incoming.kind === 'message').map((incoming) => incoming.text)
    assert.deepEqual(messages, texts)
  }
})

test('bytes that are no frames of a server are refused', () => {
  const wrong: [string, Buffer][] = [
    ['masked', Buffer.from([0x81, 0x80, 1, 2, 3, 4])],
    ['an extension', Buffer.from([0xc1, 0x00])],
    ['an unknown kind', Buffer.from([0x83, 0x00])],
    ['a long ping', frame(9, Buffer.alloc(126))],
    ['a ping in parts', frame(9, Buffer.alloc(1), false)],
    ['a part without a beginning', frame(0, Buffer.from('x'))],
    ['a beginning within a message', Buffer.concat([frame(1, Buffer.from('x'), false), textFrame('y')])],
    ['not UTF-8', frame(1, Buffer.from([0xff, 0xfe]))],
    ['a message of 64 GiB', Buffer.from([0x81, 127, 0, 0, 0, 16, 0, 0, 0, 0])],
  ]
  for (const [what, bytes] of wrong) {
    assert.throws(() => [...new FrameReader().read(bytes)], ProtocolError, what)
  }
})

test('a client masks its frames, of any length', () => {
  for (const length of [0, 1, 125, 126, 65_535, 65_536]) {
    const payload = Buffer.from('a'.repeat(length))
    const taken = takeFrame(Buffer.from(clientFrame(1, payload)))
    assert(taken?.isMasked)
    assert.deepEqual([taken.opcode, taken.rest.length, taken.payload.equals(payload)], [1, 0, true])
  }
  assert.notDeepEqual(clientFrame(1, Buffer.alloc(8)), clientFrame(1, Buffer.alloc(8)))
})

const ROOM = 'changes:m:USD'

function snapshot(sequence: number, quantity: number) {
  return { type: 'snapshot', room: ROOM, sequence, timestamp: 1, data: { bids: [{ price: 0.4, quantity }] } }
}

function delta(sequence: number, previousSequence: number, quantity: number) {
  return { ...snapshot(sequence, quantity), type: 'delta', previousSequence }
}

async function following(
  scripts: readonly (readonly Step[])[],
  work: (stream: MarketStream, venue: Venue) => Promise<void>,
  options: FollowOptions = {},
): Promise<Venue> {
  const venue = await Venue.start(...scripts)
  const stream = new Client({ baseUrl: venue.url }).follow(['m'], options)
  try {
    await within('a stream', 60, work(stream, venue))
  } finally {
    stream.close()
    venue.stop()
  }
  return venue
}

async function first(stream: MarketStream, count: number): Promise<Update[]> {
  const updates: Update[] = []
  const iterator = stream[Symbol.asyncIterator]()
  while (updates.length < count) {
    const step = await iterator.next()
    if (step.done) break
    updates.push(step.value)
  }
  return updates
}

const kinds = (updates: readonly Update[]) => updates.map((update) => update.kind)

test('a gap starts the room over once', async () => {
  const script = [snapshot(5, 1), delta(9, 8, 2), delta(10, 9, 3), delta(11, 10, 4)]
  const venue = await following([script, [snapshot(12, 7)]], async (stream) => {
    assert.deepEqual(kinds(await first(stream, 3)), ['snapshot', 'untrusted', 'snapshot'])
    assert.equal(String(stream.book.bids()[0]?.quantity), '7')
  })
  assert.deepEqual(venue.subscriptions.map((subscription) => 'resumeFrom' in subscription), [false, false])
})

test('a duplicate changes nothing', async () => {
  await following([[snapshot(5, 1), delta(6, 5, 2), delta(6, 5, 9), delta(7, 6, 3)]], async (stream) => {
    const updates = await first(stream, 3)
    assert.deepEqual(updates.map((update) => update.sequence), [5, 6, 7])
    assert.equal(String(stream.book.bids()[0]?.quantity), '3')
  })
})

test('a closed connection is resumed from the last sequence', async () => {
  const scripts = [[snapshot(5, 1), delta(6, 5, 2), 'close'], [delta(8, 6, 4)]]
  const venue = await following(scripts, async (stream) => {
    const updates = await first(stream, 4)
    assert.deepEqual(kinds(updates), ['snapshot', 'delta', 'untrusted', 'delta'])
    assert.match(updates[2]?.reason ?? '', /1013 missed/)
    assert.deepEqual([stream.book.sequence, stream.book.isTrusted], [8, true])
  })
  assert.equal(venue.subscriptions[1]?.['resumeFrom'], 6)
})

test('a silent connection is dead', async () => {
  const scripts = [[snapshot(5, 1)], [delta(6, 5, 2)]]
  const work = async (stream: MarketStream) => {
    const updates = await first(stream, 3)
    assert.deepEqual(kinds(updates), ['snapshot', 'untrusted', 'delta'])
    assert.match(updates[1]?.reason ?? '', /no message/)
  }
  await following(scripts, work, { silenceSeconds: 0.2 })
})

test('garbage ends the connection and not the stream', async () => {
  const garbage: Step[] = [
    '[]',
    'not json',
    '"text"',
    '{"type":"delta"',
    '{"type":7}',
    { type: 'delta', room: ROOM },
    { ...delta(6, 5, 2), sequence: 6.5 },
    { ...delta(6, 5, 2), data: { bids: [{ price: 'cheap', quantity: 1 }] } },
    Buffer.from([0xff, 0xff]),
    frame(1, Buffer.from([0xff])),
  ]
  for (const step of garbage) {
    await following([[snapshot(5, 1), step], [snapshot(6, 2)]], async (stream) => {
      assert.deepEqual(kinds(await first(stream, 3)), ['snapshot', 'untrusted', 'snapshot'])
      assert(stream.book.isTrusted)
    })
  }
})

test('a subscription that is refused again and again is an error', async () => {
  const refusal = { type: 'error', data: { message: 'Market not found: m' }, room: ROOM, timestamp: 1 }
  const venue = await following([[refusal]], async (stream) => {
    await assert.rejects(first(stream, 1), (error) => {
      assert(error instanceof StreamRefused)
      assert.match(error.message, /Market not found/)
      return true
    })
  })
  assert.equal(venue.subscriptions.length, 3)
})

test('a ping is answered with its own bytes', async () => {
  await following([[frame(9, Buffer.from('are you there')), snapshot(5, 1)]], async (stream, venue) => {
    await first(stream, 1)
    await until('a pong', 10, () => venue.pongs.length > 0)
    assert.deepEqual(venue.pongs, ['are you there'])
  })
})

test('a stream that is left is not trusted, and a second loop resumes it', async () => {
  const venue = await following([[snapshot(5, 1)], [delta(6, 5, 2)]], async (stream) => {
    for await (const update of stream) {
      assert(stream.book.isTrusted)
      assert.equal(update.kind, 'snapshot')
      break
    }
    assert(!stream.book.isTrusted)
    for await (const update of stream) {
      assert.equal(update.kind, 'delta')
      break
    }
  })
  assert.equal(venue.subscriptions[1]?.['resumeFrom'], 5)
})

test('a stream ends when it is closed, or when its signal is aborted', async () => {
  await following([[snapshot(5, 1)]], async (stream) => {
    for await (const update of stream) {
      assert.equal(update.kind, 'snapshot')
      setTimeout(() => stream.close(), 1)
    }
    assert.match(stream.book.trust.reason, /closed|ended/)
  })
  const stopping = new AbortController()
  const work = async (stream: MarketStream) => {
    for await (const _ of stream) setTimeout(() => stopping.abort(), 1)
    for await (const _ of stream) assert.fail('a closed stream yields nothing')
  }
  await following([[snapshot(5, 1)]], work, { signal: stopping.signal })
})

test('a stream has one reader', async () => {
  await following([[snapshot(5, 1)]], async (stream) => {
    await first(stream, 1)
    await assert.rejects(first(stream, 1), BellwetherError)
  })
})

test('a reader that is behind gets every message', async () => {
  const many = Array.from({ length: 5000 }, (_, index) => delta(6 + index, 5 + index, 1 + (index % 7)))
  await following([[snapshot(5, 1), ...many]], async (stream) => {
    const updates = await first(stream, 5001)
    assert.equal(updates.at(-1)?.sequence, 5005)
    assert(updates.slice(1).every((update) => update.kind === 'delta'))
  })
})
