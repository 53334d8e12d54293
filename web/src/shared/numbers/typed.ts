// A number while it is typed: thousands are set apart, and the caret stays behind the digit that it was behind.

import type { Attachment } from 'svelte/attachments'

/** Whether commas stand between thousands only. */
const isGrouped = (typed: string) => /^\d{1,3}(,\d{3})*(\.\d*)?$/.test(typed)
const commas = (typed: string) => typed.split(',').length - 1

/**
 * Groups the whole part by thousands; anything that is no plain decimal stays as it is. A comma that was typed by hand stays too,
 * and is refused as no number: a person who means 12.5 by "12,5" must not get 125. `before` is the text before the last key.
 */
export function groupTyped(typed: string, before = ''): string {
  const byHand = commas(typed) > commas(before) || (before.includes(',') && !isGrouped(before))
  if (typed.includes(',') && byHand && !isGrouped(typed)) return typed
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

/** Groups thousands in a field for an amount while it is typed. */
export const groupsThousands: Attachment<HTMLInputElement> = (input) => {
  let before = input.value
  const note = () => (before = input.value)
  // Before the field's own listeners, which read what is grouped.
  const group = () => {
    const [typed, caret] = [input.value, input.selectionStart ?? input.value.length]
    const grouped = groupTyped(typed, before)
    before = grouped
    if (grouped === typed) return
    input.value = grouped
    const place = caretIn(grouped, typed, caret)
    input.setSelectionRange(place, place)
  }
  input.addEventListener('beforeinput', note)
  input.addEventListener('input', group, { capture: true })
  return () => {
    input.removeEventListener('beforeinput', note)
    input.removeEventListener('input', group, { capture: true })
  }
}
