// At most one run in a while: the first at once, the last never lost.

export function throttle(run: () => void, milliseconds: number): { (): void; cancel(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  let again = false
  const call = () => {
    if (timer !== undefined) {
      again = true
      return
    }
    run()
    timer = setTimeout(() => {
      timer = undefined
      if (!again) return
      again = false
      call()
    }, milliseconds)
  }
  call.cancel = () => {
    clearTimeout(timer)
    timer = undefined
    again = false
  }
  return call
}
