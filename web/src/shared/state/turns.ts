// Rendering in turns: every piece is a task of its own, so that a tap between two pieces is answered at once.

const waiting = new Set<() => void>()
let timer: ReturnType<typeof setTimeout> | undefined

/** Runs the piece after all pieces that wait already. Calling the answer takes the piece back. */
export function inTurn(piece: () => void): () => void {
  waiting.add(piece)
  timer ??= setTimeout(next)
  return () => waiting.delete(piece)
}

function next() {
  const [piece] = waiting
  if (!piece) return void (timer = undefined)
  waiting.delete(piece)
  timer = setTimeout(next)
  piece()
}
