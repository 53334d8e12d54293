// The first code that runs. It asks for the code of the page that is being opened and for what that page reads, while the code
// that all pages need is still on its way: one wait for the line less. It must stay small and import nothing large.
import { addressOf } from '../shared/api/address'
import { askAhead } from '../shared/api/ahead'
import { isIdentifier, LISTED, listQuery, mostTraded } from './market/queries'
import { find } from './routes'
import { keptCurrency } from './session/kept-currency'

const found = find(location.pathname)
const currency = keptCurrency()

/** The head of an event's page, which is shown before the rest of that page has come. */
export const eventWaiting = () => import('./layout/EventWaiting.svelte')

if (found?.pattern === '/events/:slug') {
  const slug = found.parameters['slug']!
  const answer = askAhead(
    isIdentifier(slug)
      ? addressOf('/v1/pm/events/{eventId}', { path: { eventId: slug }, query: { currency } })
      : addressOf('/v1/pm/events/slug/{slug}', { path: { slug }, query: { currency } }),
  )
  eventWaiting().catch(() => undefined)
  // The page's own code must not take the line from its first words.
  answer.then(found.page).catch(() => undefined)
} else {
  if (found?.pattern === '/' && !location.search)
    void askAhead(addressOf('/v1/pm/events', { query: listQuery(mostTraded(currency), 1, LISTED) }))
  found?.page().catch(() => undefined)
}
