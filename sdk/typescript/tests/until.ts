/** Waiting with a limit. */

import { setTimeout as wait } from 'node:timers/promises'

/** Waits until a condition holds. */
export async function until(what: string, seconds: number, holds: () => boolean): Promise<void> {
  const deadline = performance.now() + seconds * 1000
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`waited ${seconds} seconds for ${what}`)
    await wait(5)
  }
}

/** The result of some work, or an error after some time. */
export async function within<T>(what: string, seconds: number, work: Promise<T>): Promise<T> {
  const stop = new AbortController()
  const limit = wait(seconds * 1000, undefined, { signal: stop.signal }).then(() => {
    throw new Error(`waited ${seconds} seconds for ${what}`)
  })
  // The limit is aborted when the work has ended, and then says so.
  limit.catch(() => undefined)
  try {
    return await Promise.race([work, limit])
  } finally {
    stop.abort()
  }
}
