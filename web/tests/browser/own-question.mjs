// A question of a walk's own, on a book where nobody but the walk trades.
export async function ownQuestion(exchange, { slug, title }) {
  await exchange.operate('POST', '/admin/v1/events', {
    ...{ slug, title, type: 'single', engine: 'CLOB', currencies: ['USD'], category: 'transport' },
    markets: [{ title, rules: 'YES if it does before midnight.' }],
  })
  await exchange.operate('POST', `/admin/v1/events/${slug}/open`)
  const event = await exchange.event(slug)
  const market = event.markets[0]
  return {
    event,
    market,
    address: `/events/${slug}`,
    /** An order for Yes that waits in the book, if its terms do not say otherwise. */
    place: async (user, order) => {
      const terms = { outcomeId: market.outcome1Id, type: 'LIMIT', currency: 'USD' }
      return (await exchange.place(user, event, market, { ...terms, ...order })).order
    },
    mint: (user, quantity) =>
      exchange.write(user, 'POST', `/v1/pm/markets/${market.id}/mint`, { quantity, currency: 'USD' }),
    /** The orders of a user here, open and closed. */
    orders: async (user) => (await exchange.read(`/v1/pm/orders?marketId=${market.id}&size=100`, user)).orders,
    /** The shares of Yes that a user has here. */
    held: async (user) => {
      const { outcomeBalances } = await exchange.read(`/v1/pm/portfolio?marketId=${market.id}&currency=USD`, user)
      return outcomeBalances.find((one) => one.outcome === 'YES')?.balance ?? 0
    },
  }
}

/** What a user can spend. */
export async function dollarsOf(exchange, user) {
  const { assets } = await exchange.read('/v1/wallet/assets', user)
  return assets.find((asset) => asset.symbol === 'USD').availableBalance
}
