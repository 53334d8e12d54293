// Every page of the console, for the tests that look at all of them; and something to see on them.
import { createHash } from 'node:crypto'

export const CONSOLE_PAGES = [
    { name: 'overview', address: '/', ready: '[data-proposal]' },
    { name: 'events', address: '/events?status=open', ready: '[data-event]' },
    { name: 'nothing-found', address: '/events?q=nothing-like-this', ready: 'text=No events' },
    { name: 'event', address: '/events/number-one-film-of-the-holiday-weekend', ready: '[data-market]' },
    { name: 'event-draft', address: '/events/first-snow-on-the-plateau', ready: 'text=Seed each pool' },
    { name: 'event-proposed', address: '/events/a-new-bridge-this-year', ready: '[data-proposal]' },
    { name: 'event-over', address: '/events/headliner-of-the-harbour-festival', ready: '[data-testid=verdict]' },
    { name: 'new-event', address: '/events/new', ready: 'form' },
    { name: 'import', address: '/events/import', ready: 'textarea' },
    { name: 'closings', address: '/events/calendar', ready: '#month' },
    { name: 'proposals', address: '/proposals', ready: '[data-proposal]' },
    { name: 'users', address: '/users', ready: '[data-user]' },
    { name: 'user', address: '/users/ada', ready: '[data-wallet]' },
    { name: 'user-frozen', address: '/users/dayo', ready: 'text=Frozen: every command' },
    { name: 'password-resets', address: '/password-resets', ready: '[data-reset]' },
    { name: 'series', address: '/series', ready: '[data-series]' },
    { name: 'feeds', address: '/series?tab=feeds', ready: '[data-asset]' },
    { name: 'sports', address: '/sports', ready: '[data-game]' },
    { name: 'operators', address: '/operators', ready: '[data-operator="bea"]' },
    { name: 'token', address: '/token', ready: 'text=Make a token' },
    { name: 'audit', address: '/audit', ready: '[data-action]' },
    { name: 'solvency', address: '/solvency', ready: 'main section' },
]

/** A draft whose pools are empty, and a verdict that waits with money in it. */
export async function furnishConsole(exchange, user, other) {
    const closingDate = new Date(Date.now() + 30 * 86_400_000).toISOString()
    await exchange.operate('POST', '/admin/v1/events', {
        slug: 'first-snow-on-the-plateau',
        title: 'When does the first snow fall on the plateau?',
        type: 'combined',
        engine: 'AMM',
        currencies: ['USD', 'NGN'],
        category: 'weather',
        closingDate,
        resolutionSource: 'The station on the ridge',
        markets: ['Before December', 'In December', 'Later, or never'].map((title) => ({
            title,
            rules: `YES if the first snow that lies an hour falls ${title.toLowerCase()}.`,
            feePercentage: 1,
        })),
    })
    const { eventId } = await exchange.operate('POST', '/admin/v1/events', {
        slug: 'a-new-bridge-this-year',
        title: 'Does the city open the new bridge this year?',
        type: 'single',
        engine: 'CLOB',
        currencies: ['USD'],
        category: 'politics',
        closingDate,
        resolutionSource: 'The ministry of works',
        markets: [
            {
                title: 'Does the city open the new bridge this year?',
                rules: 'YES if the first car crosses before midnight on 31 December.',
            },
        ],
    })
    await exchange.operate('POST', '/admin/v1/events/a-new-bridge-this-year/open')
    const event = await exchange.event('a-new-bridge-this-year')
    const market = event.markets[0]
    const order = { side: 'BUY', type: 'LIMIT', currency: 'USD', quantity: 250 }
    await exchange.place(other, event, market, { ...order, outcomeId: market.outcome2Id, price: 0.3 })
    await exchange.place(user, event, market, { ...order, outcomeId: market.outcome1Id, price: 0.7 })
    await exchange.operate('POST', '/admin/v1/events/a-new-bridge-this-year/close')
    await exchange.operate('POST', `/admin/v1/events/${eventId}/propose`, {
        outcomes: [{ marketId: market.id, outcome: 'YES' }],
        evidence: { text: 'Opened to traffic at noon; the mayor drove first.', link: 'https://example.org/bridge' },
    })
}

/** Operators of each kind, an account that is frozen, a request for a new password, and money that waits for an approver. */
async function furnishPeople(exchange) {
    const hash = (text) => createHash('sha256').update(text).digest('hex')
    for (const [name, role] of [
        ['bea', 'approver'],
        ['cleo', 'operator'],
        ['dora', 'viewer'],
    ])
        await exchange.operate('POST', '/admin/v1/operators', { name, role, tokenHash: hash(name) })
    await exchange.operate('POST', '/admin/v1/operators/dora/suspend')
    await exchange.operate('POST', '/admin/v1/operators/cleo/confirm')
    await exchange.operate('POST', '/admin/v1/users/dayo/freeze')
    const credit = { currency: 'USD', amount: 1_500_000, reference: 'wire 2207' }
    await exchange.operate('POST', '/admin/v1/users/efe/credit', credit)
    await fetch(`${exchange.url}/v1/user/password-reset/request`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ email: exchange.user('efe').email, tokenHash: hash('a token') }),
    })
}

const furnished = new WeakSet()
export async function furnishOnce(exchange) {
    if (furnished.has(exchange)) return
    furnished.add(exchange)
    await furnishConsole(exchange, exchange.user('ada'), exchange.user('bola'))
    await furnishPeople(exchange)
}
