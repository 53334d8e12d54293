// Rendering in turns: every piece is a task of its own, so that a tap between two pieces is answered at once.

let waiting: (() => void)[] = []
let timer: ReturnType<typeof setTimeout> | undefined

/** Runs the piece after all pieces that wait already, or before them if it is needed `soon`. Calling the answer takes it back. */
export function inTurn(piece: () => void, { soon = false } = {}): () => void {
  if (soon) waiting.unshift(piece)
  else waiting.push(piece)
  timer ??= setTimeout(next)
  return () => (waiting = waiting.filter((other) => other !== piece))
}

function next() {
  const piece = waiting.shift()
  if (!piece) return void (timer = undefined)
  timer = setTimeout(next)
  piece()
}
