// One second hand for everything that counts down. It runs only while somebody looks at it.
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
