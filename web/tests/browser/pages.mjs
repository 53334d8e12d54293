// Every page of the traders, for the tests that look at all of them.
import { ownQuestion } from './own-question.mjs'

export async function pagesOf(exchange) {
  const { series } = await exchange.read('/v1/pm/events/series?size=1')
  const { games } = await exchange.read('/v1/pm/sports/games?size=1')
  return [
    { name: 'browse', address: '/', ready: '[data-event]' },
    { name: 'search', address: '/?q=bitcoin', ready: '[data-event]' },
    { name: 'nothing-found', address: '/?q=nothing-like-this', ready: 'text=Nothing found' },
    {
      name: 'event-book',
      address: '/events/rain-in-lagos-on-new-years-day',
      ready: '[data-testid=book] [data-price]',
    },
    {
      name: 'event-pool',
      address: '/events/number-one-film-of-the-holiday-weekend',
      ready: '[aria-label^="Price impact"]',
    },
    { name: 'event-over', address: '/events/headliner-of-the-harbour-festival', ready: 'text=Fingerprint' },
    { name: 'series', address: '/series', ready: 'article a' },
    { name: 'one-series', address: `/series/${series[0].slug}`, ready: '[data-event]' },
    { name: 'sports', address: '/sports', ready: 'article a' },
    { name: 'match', address: `/sports/${games[0].slug}`, ready: 'section li' },
    { name: 'portfolio', address: '/portfolio', ready: '[data-testid=positions]' },
    { name: 'forgot-password', address: '/forgot-password', ready: 'main form' },
    { name: 'help', address: '/help', ready: 'text=Try it, without money' },
    { name: 'solvency', address: '/solvency', ready: 'text=Every sum is zero' },
    { name: 'account', address: '/account', ready: '[data-testid=keys] li' },
  ]
}

/** The question where no bot trades. */
export const STILL_BOOK = 'does-the-first-tram-run'

/** Creates content for the pages of a logged-in user. */
export async function furnish(exchange, user) {
  const trade = async (slug, place, order) => {
    const event = await exchange.event(slug)
    const market = event.markets[place]
    const outcomeId = order.outcome === 'NO' ? market.outcome2Id : market.outcome1Id
    const { outcome, ...rest } = order
    return exchange.place(user, event, market, { side: 'BUY', type: 'MARKET', currency: 'USD', outcomeId, ...rest })
  }
  await trade('number-one-film-of-the-holiday-weekend', 0, { amount: 120 })
  await trade('marathon-record-this-season', 0, { amount: 300 })
  await trade('marathon-record-this-season', 0, { side: 'SELL', quantity: 400 })
  await trade('ether-above-5000-at-year-end', 0, { amount: 250, outcome: 'NO' })
  await trade('naira-below-1500-by-year-end', 0, { amount: 20_000, currency: 'NGN' })
  await trade('rain-in-lagos-on-new-years-day', 0, { type: 'LIMIT', price: 0.05, quantity: 120 })
  await trade('rain-in-lagos-on-new-years-day', 0, { type: 'LIMIT', price: 0.04, quantity: 200 })
  const tram = await ownQuestion(exchange, { slug: STILL_BOOK, title: 'Does the first tram run?' })
  const seller = exchange.user('chidi')
  await tram.mint(seller, 300)
  for (const price of [0.4, 0.55, 0.7]) await tram.place(seller, { side: 'SELL', price, quantity: 100 })
  await tram.place(user, { side: 'BUY', price: 0.02, quantity: 400 })
}
