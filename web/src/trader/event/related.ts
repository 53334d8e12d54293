// Which questions belong beside another. Pure.
import type { Event } from '../../shared/api/types'

type Kin = Pick<Event, 'id' | 'hashtags' | 'seriesSlug' | 'sportGameSlug'>

/** Those with the most hashtags in common first, then as the list has them; never itself, and one of a series or match. */
export function related<One extends Kin>(event: Kin, others: readonly One[], most: number): One[] {
  const common = (other: Kin) => other.hashtags.filter((tag) => event.hashtags.includes(tag)).length
  const families = new Set([event.seriesSlug, event.sportGameSlug].filter(Boolean))
  return others
    .filter((other) => other.id !== event.id)
    .map((other, place) => ({ other, place, common: common(other) }))
    .sort((left, right) => right.common - left.common || left.place - right.place)
    .map(({ other }) => other)
    .filter((other) => {
      const family = other.seriesSlug ?? other.sportGameSlug
      if (!family) return true
      const known = families.has(family)
      families.add(family)
      return !known
    })
    .slice(0, most)
}
