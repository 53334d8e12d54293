// A number while it is typed: thousands are set apart, and the caret stays behind the digit that it was behind.

/** Groups the whole part by thousands; anything that is no plain decimal stays as it is. */
export function groupTyped(typed: string): string {
  const plain = typed.replace(/,/g, '')
  const found = /^(\d*)(\.\d*)?$/.exec(plain)
  if (!found) return typed
  return (found[1] ?? '').replace(/\B(?=(\d{3})+$)/g, ',') + (found[2] ?? '')
}

/** Where the caret belongs in the grouped text: behind as many other signs as before. */
export function caretIn(grouped: string, typed: string, caret: number): number {
  let left = typed.slice(0, caret).replace(/,/g, '').length
  let at = 0
  while (left > 0 && at < grouped.length) {
    if (grouped[at] !== ',') left -= 1
    at += 1
  }
  return at
}
