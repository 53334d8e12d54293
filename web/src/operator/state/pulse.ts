// What two readings of the venue's state say about its speed.

export interface Reading {
  /** Milliseconds since 1970, by this browser. */
  at: number
  sequence: number
  historyLag: number
  waiting: number
  /** How long the answer took to come, in milliseconds. */
  latency: number
}

export interface Beat {
  at: number
  /** Requests that were applied, per second. Null where the sequence went back: another exchange answers now. */
  throughput: number | null
  latency: number
  historyLag: number
}

const SECOND = 1000

export function beats(readings: readonly Reading[]): Beat[] {
  return readings.slice(1).map((reading, index) => {
    const before = readings[index]!
    const applied = reading.sequence - before.sequence
    const elapsed = reading.at - before.at
    const throughput = applied < 0 || elapsed <= 0 ? null : (applied * SECOND) / elapsed
    return { at: reading.at, throughput, latency: reading.latency, historyLag: reading.historyLag }
  })
}

/** The value that so many percent stay under: the nearest rank. */
export function percentile(values: readonly number[], percent: number): number | null {
  if (values.length === 0) return null
  const sorted = [...values].sort((left, right) => left - right)
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)]!
}
