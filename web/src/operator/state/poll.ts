// Reads again and again while somebody looks. A tab in the background asks nothing; coming back asks at once.

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
