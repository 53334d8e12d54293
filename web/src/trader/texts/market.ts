// Texts of markets, wherever they appear. README.md, "Texts", says how to add one.
import type { Value } from '../../shared/texts/language'

// WatchButton
export const watching = 'Watching'
export const watch = 'Watch'

// market-view
export const yes = 'Yes'
export const no = 'No'

// series-title
export const upOrDown = (name: Value, begin: Value, end: Value) => `${name} up or down · ${begin}–${end}`

// watchlist
export const theWatchlistWasNotChanged = 'The watchlist was not changed'
