// One timer for all countdowns. It runs only while a component is subscribed.
import { createSubscriber } from 'svelte/reactivity'

const subscribe = createSubscriber((update) => {
  const timer = setInterval(update, 1000)
  return () => clearInterval(timer)
})

export const now = {
  get milliseconds(): number {
    subscribe()
    return Date.now()
  },
}
