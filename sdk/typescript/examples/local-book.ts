// Follows a market for a few changes, and prints the best prices of a local book that is right after each of them.
import { Client } from 'bellwether-exchange'

const client = Client.fromEnv()
const { market } = await client.event('housing-bill-this-session')
const stream = market.follow()
let changes = 3
for await (const update of stream) {
  if (!stream.book.isTrusted) {
    console.log(`not to be trusted: ${update.reason}`)
    continue
  }
  console.log(update.kind, update.sequence, `${stream.book.bestBid()?.price} ${stream.book.bestAsk()?.price}`)
  if (changes === 0) break
  changes -= 1
  // Causes the next change itself.
  const order = await market.yes.buy({ quantity: 100, price: '0.02' })
  await order.cancel()
}
