// Whether what is on the page is live: the browser is online and the stream of markets has not been cut.
import { markets } from '../stream/stream'

let condition = $state(markets.condition)
let broken = $state(markets.broken)
let online = $state(navigator.onLine)
markets.observe((next) => {
  condition = next
  broken = markets.broken
})
addEventListener('online', () => (online = true))
addEventListener('offline', () => (online = false))

export const connection = {
  get online() {
    return online
  },
  get interrupted() {
    return broken || !online
  },
  get live() {
    return condition === 'live' && online
  },
}
