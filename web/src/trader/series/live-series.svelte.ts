// A series with its last rounds, read again when a round ends, until the next one is there.
import { untrack } from 'svelte'
import type { Event, Series } from '../../shared/api/types'
import type { Currency } from '../../shared/numbers/format'
import { milliseconds } from '../../shared/numbers/time'
import { Resource } from '../../shared/state/resource.svelte'
import { readSeries, readSeriesEvents } from './series'
import { roundAt } from './rounds'

const ROUNDS = 24
const [AFTER_END_MILLISECONDS, AGAIN_MILLISECONDS, WAIT_MILLISECONDS_MAX] = [1500, 5000, 2 ** 30]

export class LiveSeries {
  readonly all = new Resource<Series[]>()
  readonly rounds = new Resource<Event[]>()
  private timer: ReturnType<typeof setTimeout> | undefined

  /** The round that trades now. */
  get current(): Event | undefined {
    return roundAt(this.rounds.value ?? [], Date.now())
  }

  of(slug: string): Series | undefined {
    return this.all.value?.find((series) => series.slug === slug)
  }

  /** Follows a series until the returned function is called. */
  follow(slug: string, currency: Currency): () => void {
    let gone = false
    this.rounds.clear()
    untrack(() => {
      if (!this.all.value) void this.all.load(readSeries)
    })
    const read = async () => {
      await this.rounds.load(() => readSeriesEvents(slug, currency, ROUNDS))
      if (gone) return
      const end = milliseconds(this.current?.closingDate)
      const wait = end === null ? AGAIN_MILLISECONDS : end - Date.now() + AFTER_END_MILLISECONDS
      this.timer = setTimeout(read, Math.min(Math.max(wait, AFTER_END_MILLISECONDS), WAIT_MILLISECONDS_MAX))
    }
    void read()
    return () => {
      gone = true
      clearTimeout(this.timer)
    }
  }
}
