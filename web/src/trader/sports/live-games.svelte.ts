// Score, clock and status of games as they change. Pages share them, so a walk from the calendar to a match keeps them.
import { SvelteMap } from 'svelte/reactivity'
import type { Game } from '../../shared/api/types'
import { markets } from '../../shared/stream/stream'

type State = Pick<Game, 'status' | 'isLive' | 'score' | 'clock'>
const states = new SvelteMap<string, State>()

/** A game with the newest state that is known of it. */
export function liveGame(game: Game): Game {
  const state = states.get(game.id)
  if (!state) return game
  const { score: _score, clock: _clock, ...rest } = game
  return { ...rest, ...state }
}

/** Follows a game until the returned function is called. */
export function followGame(id: string): () => void {
  return markets.listen(`games:${id}`, {
    receive({ data }) {
      const { status, isLive, score, clock } = data
      states.set(id, { status, isLive, ...(score ? { score } : {}), ...(clock ? { clock } : {}) })
    },
  })
}
