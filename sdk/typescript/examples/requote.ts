// Places two orders in one request, moves them in one request, and cancels them in one request.
import { Client } from 'bellwether-exchange'

const client = Client.fromEnv()
const { market } = await client.event('housing-bill-this-session')
const batch = await client.place([
  market.yes.newOrder('BUY', { quantity: 100, price: '0.03', clientOrderId: 'bid' }),
  market.no.newOrder('BUY', { quantity: 100, price: '0.03', clientOrderId: 'ask' }),
])
for (const failed of batch.failures) console.log('failed:', failed.error)
const moves = batch.orders.map((order) => ({ orderId: order.id, price: order.price.plus('0.01') }))
const moved = await client.amend(moves)
console.log(`now at ${moved.orders.map((order) => order.price).join(' and ')}`)
const cancelled = await client.cancel(moved.orders.map((order) => order.id))
console.log(`cancelled ${cancelled.summary.succeeded}`)
