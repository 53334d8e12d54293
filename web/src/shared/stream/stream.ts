// One WebSocket with many listeners. It comes back by itself after a cut, subscribes to everything again, and then tells each
// listener, who reads what it may have missed. Sequences never go back, so a late message cannot undo a newer one.
import { withExactNumbers } from '../api/exact-json'
import { shown } from '../api/shown'
import { Pace } from './pace'
import { type Message, stateOf, subscription, topicOf } from './topic'

export type Condition = 'idle' | 'connecting' | 'live' | 'waiting'

export interface Listener {
  receive(message: Message): void
  /** After a cut, once the room is subscribed to again: read the state anew. */
  resumed?(): void
}

const MESSAGES_PER_SECOND = 8
const PING_MILLISECONDS = 20_000
const SILENCE_MILLISECONDS = 45_000
const WAIT_MILLISECONDS_MAX = 15_000

export class Stream {
  private readonly path: () => string
  private readonly topics = new Map<string, Set<Listener>>()
  private readonly sequences = new Map<string, number>()
  /** The newest message of rooms that have a state, by what it is about: a book has two sides. */
  private readonly states = new Map<string, Map<string, Message>>()
  /** What the server calls a topic's room: one of orders has the user's id in its name. */
  private readonly rooms = new Map<string, string>()
  /** Subscribed to in an earlier life of the connection, and not yet confirmed in this one. */
  private readonly interrupted = new Set<string>()
  private readonly pace = new Pace((text) => this.socket?.send(text), MESSAGES_PER_SECOND)
  private socket: WebSocket | undefined
  private retries = 0
  private retryTimer: ReturnType<typeof setTimeout> | undefined
  private pingTimer: ReturnType<typeof setInterval> | undefined
  private heardAt = 0
  private readonly observers = new Set<(condition: Condition) => void>()
  condition: Condition = 'idle'
  /** Cut, and not back yet. Trying to connect does not end it: each attempt may fail like the one before. */
  broken = false

  /** The path is asked for with each connection. */
  constructor(path: () => string) {
    this.path = path
    addEventListener('online', () => this.hurry())
    addEventListener('pageshow', () => this.hurry())
  }

  /** Listens to a topic until the returned function is called. */
  listen(topic: string, listener: Listener): () => void {
    const listeners = this.topics.get(topic) ?? new Set()
    const first = listeners.size === 0
    listeners.add(listener)
    this.topics.set(topic, listeners)
    if (this.condition === 'idle') this.connect()
    else if (first && this.condition === 'live') this.say(subscription(topic))
    // The server sends a room's state once, so later listeners get it from here.
    for (const message of this.states.get(topic)?.values() ?? []) listener.receive(message)
    return () => this.leave(topic, listener)
  }

  observe(observer: (condition: Condition) => void): () => void {
    this.observers.add(observer)
    observer(this.condition)
    return () => this.observers.delete(observer)
  }

  /** Who is asking has changed: a connection knows it from its first request only. */
  restart(): void {
    this.disconnect()
    if (this.topics.size > 0) this.connect()
  }

  private leave(topic: string, listener: Listener): void {
    const listeners = this.topics.get(topic)
    listeners?.delete(listener)
    if (!listeners || listeners.size > 0) return
    this.topics.delete(topic)
    this.sequences.delete(topic)
    this.states.delete(topic)
    this.interrupted.delete(topic)
    const room = this.rooms.get(topic)
    this.rooms.delete(topic)
    if (this.topics.size === 0) this.disconnect()
    else if (this.condition === 'live' && room) this.say({ type: 'unsubscribe', room })
  }

  private connect(): void {
    this.become('connecting')
    const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:'
    const socket = new WebSocket(`${scheme}//${location.host}${this.path()}`)
    this.socket = socket
    socket.onopen = () => {
      this.retries = 0
      this.broken = false
      this.heardAt = Date.now()
      this.become('live')
      for (const topic of this.topics.keys()) this.say(subscription(topic))
      this.pingTimer = setInterval(() => this.beat(), PING_MILLISECONDS)
    }
    socket.onmessage = (event) => this.hear(String(event.data))
    socket.onclose = () => this.cut()
  }

  private hear(text: string): void {
    this.heardAt = Date.now()
    const message = JSON.parse(withExactNumbers(text)) as Message
    if (message.type === 'subscribed') return this.confirmed(message.room ?? '')
    const topic = topicOf(message)
    if (!topic) return
    const last = this.sequences.get(topic) ?? 0
    if (message.sequence !== undefined) {
      if (message.sequence < last) return
      this.sequences.set(topic, message.sequence)
    }
    this.remember(topic, message)
    for (const listener of this.topics.get(topic) ?? []) listener.receive(message)
  }

  private remember(topic: string, message: Message): void {
    const about = stateOf(message)
    if (about === null) return
    const state = this.states.get(topic) ?? new Map<string, Message>()
    this.states.set(topic, state.set(about, message))
  }

  private confirmed(room: string): void {
    const [channel, , market] = room.split(':')
    const topic = channel === 'orders' ? `orders:${market}` : room
    // Left before the answer came.
    if (!this.topics.has(topic)) return this.say({ type: 'unsubscribe', room })
    this.rooms.set(topic, room)
    if (this.interrupted.delete(topic)) {
      for (const listener of this.topics.get(topic) ?? []) listener.resumed?.()
    }
  }

  private beat(): void {
    if (Date.now() - this.heardAt > SILENCE_MILLISECONDS) this.socket?.close()
    else this.say({ type: 'ping' })
  }

  private cut(): void {
    this.clear()
    for (const topic of this.topics.keys()) this.interrupted.add(topic)
    if (this.topics.size === 0) {
      this.broken = false
      return this.become('idle')
    }
    this.broken = true
    this.become('waiting')
    // Half of it at random: a thousand pages do not come back in the same instant.
    const wait = Math.min(WAIT_MILLISECONDS_MAX, 500 * 2 ** this.retries)
    this.retries += 1
    this.retryTimer = setTimeout(() => this.connect(), wait / 2 + (Math.random() * wait) / 2)
  }

  private hurry(): void {
    if (this.condition !== 'waiting') return
    clearTimeout(this.retryTimer)
    this.retries = 0
    this.connect()
  }

  private disconnect(): void {
    const socket = this.socket
    this.clear()
    if (socket) {
      socket.onclose = socket.onmessage = socket.onopen = null
      socket.close()
    }
    this.broken = false
    this.become('idle')
  }

  private clear(): void {
    clearInterval(this.pingTimer)
    clearTimeout(this.retryTimer)
    this.pace.clear()
    this.rooms.clear()
    this.socket = undefined
  }

  private say(message: Record<string, unknown>): void {
    this.pace.push(JSON.stringify(message))
  }

  private become(condition: Condition): void {
    this.condition = condition
    for (const observer of this.observers) observer(condition)
  }
}

export const markets = new Stream(() => '/ws/v1/markets')
// A script cannot add a header to a connection, so whom the page shows is in its address.
export const own = new Stream(() => `/ws/v1/user${shown.person ? `?as=${shown.person.id}` : ''}`)
export const assets = new Stream(() => '/ws/v1/realtime')
