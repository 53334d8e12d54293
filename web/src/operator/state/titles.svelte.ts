// Titles of what is known by id or slug only: markets and events, read once for each event, users and games.
import { SvelteMap } from 'svelte/reactivity'
import { answer } from '../../shared/api/client'
import { asFailure } from '../../shared/api/failure'
import { admin } from '../api/client'
import type { ProposalState } from '../api/types'
import * as texts from '../texts/words'

const titles = new SvelteMap<string, string>()
const asked = new Set<string>()
let reading: Promise<void> = Promise.resolve()

/** The market's title after that of its event, once it is known. */
export const marketTitle = (marketId: string) => titles.get(marketId)

/** The market's title beside that of its event, once it is known. */
export const marketName = (marketId: string) => titles.get(`market:${marketId}`)

/** The title of an event that was asked for by this slug or id, once it is known. */
export const eventTitle = (event: string) => titles.get(event)

/** The tag of a user that was asked for by this id, once it is known. */
export const userTag = (user: string) => titles.get(`user:${user}`)

/** Asks once, one at a time: a long list must not use up the console's allowance. What cannot be read is tried again later. */
function learn(key: string, read: () => Promise<void>): void {
  if (asked.has(key)) return
  asked.add(key)
  reading = reading.then(read).catch((error: unknown) => {
    // A refused request names what was never made.
    if (asFailure(error).status === 404) titles.set(key, texts.notThere)
    else asked.delete(key)
  })
}

/** Reads the titles of these events and of their markets. */
export function learnMarkets(eventIds: Iterable<string>): void {
  for (const event of eventIds)
    learn(event, async () => {
      const { title, markets } = await answer(admin.GET('/admin/v1/events/{event}', { params: { path: { event } } }))
      titles.set(event, title)
      for (const market of markets) {
        titles.set(market.marketId, markets.length === 1 ? title : texts.marketOfEvent(title, market.title))
        titles.set(`market:${market.marketId}`, market.title)
      }
    })
}

/** Reads the tags of these users. */
export function learnUsers(userIds: Iterable<string>): void {
  for (const user of userIds)
    learn(`user:${user}`, async () => {
      const found = await answer(admin.GET('/admin/v1/users/{user}', { params: { path: { user } } }))
      titles.set(`user:${user}`, found.user.tag)
    })
}

/** Reads the teams of a game. */
function learnGame(slug: string): void {
  learn(`game:${slug}`, async () => {
    const { games, teams } = await answer(admin.GET('/admin/v1/sports'))
    const names = new Map(teams.map((team) => [team.slug, team.name]))
    const found = games.find((game) => game.slug === slug)
    const title = found && texts.teams(names.get(found.home) ?? found.home, names.get(found.away) ?? found.away)
    titles.set(`game:${slug}`, title ?? texts.notThere)
  })
}

/** Reads what a proposal is about. */
export function learnProposal({ type, about }: ProposalState): void {
  if (type === 'resolution') learnMarkets([about])
  if (type === 'game_result') learnGame(about)
}

/** What a proposal is about: the title of an event, the teams of a game, or what the command would do. */
export function proposalTitle({ type, about }: ProposalState): string {
  if (type === 'resolution') return titles.get(about) ?? '…'
  if (type === 'game_result') return titles.get(`game:${about}`) ?? '…'
  return about
}
