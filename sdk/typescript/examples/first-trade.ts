// Buys for ten dollars, waits for the result, and sells the shares again.
//
// Needs a running `bellwether demo`; DEMO names its file, data/demo.json unless you say otherwise.
import { Client } from 'bellwether-exchange'

const client = Client.fromEnv()
const { market } = await client.event('rain-in-lagos-on-new-years-day')
console.log(`${market.title} costs ${market.yes.buyPrice} a share`)
const bought = await (await market.yes.buy(10)).wait({ timeoutSeconds: 30 })
console.log(`bought ${bought.filledSize} at ${bought.avgFillPrice}`)
const sold = await (await market.yes.sell({ quantity: bought.filledSize })).wait({ timeoutSeconds: 30 })
console.log(`sold ${sold.filledSize} at ${sold.avgFillPrice}`)
for (const [currency, wallet] of await client.wallets()) console.log(`${currency} ${wallet.availableBalance}`)
