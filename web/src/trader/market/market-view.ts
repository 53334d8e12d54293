// Small questions about events and markets that several pages ask.
import { hasIcon, type IconName } from '../../shared/components/Icon.svelte'
import type { Event, Market, OutcomeSide } from '../../shared/api/types'
import { units } from '../../shared/numbers/decimal'
import * as texts from '../texts/market'

/** A market with one question needs no name of its own. */
export function isSingle(event: Event): boolean {
  return event.markets.length === 1
}

export function outcomeId(market: Market, outcome: OutcomeSide): string {
  return outcome === 'YES' ? market.outcome1Id : market.outcome2Id
}

export function outcomeLabel(market: Market, outcome: OutcomeSide): string {
  return (outcome === 'YES' ? market.outcome1Label : market.outcome2Label) || outcome
}

/** YES and NO as people write them; other labels as they are. */
export function shownLabel(label: string): string {
  return label === 'YES' ? texts.yes : label === 'NO' ? texts.no : label
}

/** The outcome that a market ended with, by its own label. */
export function resultLabel(market: Market, resolvedOutcome: string): string {
  return resolvedOutcome === 'YES' || resolvedOutcome === 'NO' ? shownLabel(outcomeLabel(market, resolvedOutcome)) : ''
}

export function isOver(status: string): boolean {
  return status === 'resolved' || status === 'cancelled'
}

/** Whether orders can be written: those of a paused market wait until it goes on. */
export function hasTicket(status: string): boolean {
  return status === 'open' || status === 'paused'
}

/** The likeliest first; what a line is drawn for comes before what is not shown. */
export function byChance(markets: readonly Market[]): Market[] {
  return [...markets].sort((left, right) => {
    const difference = units(right.outcome1Price) - units(left.outcome1Price)
    return difference > 0n ? 1 : difference < 0n ? -1 : 0
  })
}

/** The market that stands for its event on a card. */
export function leader(event: Event): Market | undefined {
  return event.type === 'single' ? event.markets[0] : byChance(event.markets)[0]
}

export function categoryIcon(category: string): IconName {
  const name = category.toLowerCase()
  return hasIcon(name) ? name : 'question'
}

export function categoryLabel(category: string): string {
  return category.charAt(0).toUpperCase() + category.slice(1).toLowerCase()
}

export function eventAddress(event: { slug: string }, more: Record<string, string> = {}): string {
  const query = new URLSearchParams(more).toString()
  return `/events/${encodeURIComponent(event.slug)}${query ? `?${query}` : ''}`
}
