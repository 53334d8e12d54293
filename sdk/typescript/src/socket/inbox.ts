/** Messages of a socket that wait for their reader, and the reason when there will be no more. */

/** A stream's connection ended, or was silent for too long. */
export class Disconnected extends Error {}

/** The exchange answered the request for a stream with a status that no repetition changes. */
export class StreamNotAccepted extends Error {}

/** One connection to a stream. */
export interface Socket {
  /** Sends one message. Throws `Disconnected`. */
  send(text: string): void
  /** The next message. A connection that is silent for longer counts as ended: rejects with `Disconnected`. */
  receive(silenceSeconds: number): Promise<string>
  /** Closes the connection. A connection that is already gone is no error. */
  close(): void
}

interface Reader {
  resolve(text: string): void
  reject(error: Disconnected): void
  /** Begins the silence anew. */
  touch(): void
}

/** A queue with one reader. */
export class Inbox {
  #messages: string[] = []
  #next = 0
  #end: string | undefined
  #reader: Reader | undefined

  /** How many messages wait. */
  get size(): number {
    return this.#messages.length - this.#next
  }

  /** The reason of the end; undefined while the connection lives. */
  get end(): string | undefined {
    return this.#end
  }

  /** Adds a message. */
  push(text: string): void {
    if (this.#end !== undefined) return
    const reader = this.#reader
    this.#reader = undefined
    if (reader) reader.resolve(text)
    else this.#messages.push(text)
  }

  /** Notes the end. Messages that arrived before it can still be read. */
  finish(reason: string): void {
    this.#end ??= reason
    const reader = this.#reader
    this.#reader = undefined
    reader?.reject(new Disconnected(this.#end))
  }

  /** Notes a sign of life that is no message. */
  touch(): void {
    this.#reader?.touch()
  }

  /** The next message. */
  receive(silenceSeconds: number): Promise<string> {
    const text = this.#shift()
    if (text !== undefined) return Promise.resolve(text)
    if (this.#end !== undefined) return Promise.reject(new Disconnected(this.#end))
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.#reader = undefined
        reject(new Disconnected(`no message for ${silenceSeconds} seconds`))
      }
      const arm = () => setTimeout(giveUp, silenceSeconds * 1000)
      let silence = arm()
      this.#reader = {
        resolve: (message) => {
          clearTimeout(silence)
          resolve(message)
        },
        reject: (error) => {
          clearTimeout(silence)
          reject(error)
        },
        touch: () => {
          clearTimeout(silence)
          silence = arm()
        },
      }
    })
  }

  #shift(): string | undefined {
    if (this.size === 0) return undefined
    const text = this.#messages[this.#next]
    this.#next += 1
    // Removes what was read at once, not one by one: that would move all others each time.
    if (this.#next === this.#messages.length) {
      this.#messages = []
      this.#next = 0
    }
    return text
  }
}
