// Keeps to the limit of messages a second on a connection: what is over it waits its turn, in order.

export class Pace {
  private waiting: string[] = []
  private sent: number[] = []
  private timer: ReturnType<typeof setTimeout> | undefined
  private readonly send: (text: string) => void
  private readonly perSecond: number

  constructor(send: (text: string) => void, perSecond: number) {
    this.send = send
    this.perSecond = perSecond
  }

  push(text: string): void {
    this.waiting.push(text)
    this.drain()
  }

  /** The connection is gone, and with it what was to be said. */
  clear(): void {
    this.waiting = []
    this.sent = []
    clearTimeout(this.timer)
    this.timer = undefined
  }

  private drain(): void {
    if (this.timer !== undefined) return
    const now = Date.now()
    this.sent = this.sent.filter((at) => now - at < 1000)
    while (this.waiting.length > 0 && this.sent.length < this.perSecond) {
      this.sent.push(now)
      this.send(this.waiting.shift()!)
    }
    if (this.waiting.length === 0) return
    this.timer = setTimeout(
      () => {
        this.timer = undefined
        this.drain()
      },
      1000 - (now - this.sent[0]!) + 5,
    )
  }
}
