// Polls while the tab is visible. A background tab does not poll; returning to it polls at once.

export function poll(read: () => void, milliseconds: number): () => void {
  read()
  const again = () => {
    if (document.visibilityState === 'visible') read()
  }
  const timer = setInterval(again, milliseconds)
  document.addEventListener('visibilitychange', again)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', again)
  }
}
