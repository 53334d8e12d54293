// The keys of the ladder. A key counts only while the ladder is armed, alone, once, and never while something is typed.
import * as texts from '../texts/ladder'

export type Action = 'buy' | 'sell' | 'sell25' | 'sell50' | 'sell100' | 'close' | 'cancel' | 'disarm' | `amount${1 | 2 | 3 | 4}`

export const KEYS: Record<Action, string> = {
  buy: texts.buyKey,
  sell: texts.sellKey,
  sell25: texts.sell25Key,
  sell50: texts.sell50Key,
  sell100: texts.sell100Key,
  close: texts.closeKey,
  cancel: texts.cancelKey,
  disarm: texts.escapeKey,
  amount1: '1',
  amount2: '2',
  amount3: '3',
  amount4: '4',
}
const ACTIONS = new Map((Object.entries(KEYS) as [Action, string][]).map(([action, key]) => [key.toLowerCase(), action]))

type Pressed = Pick<KeyboardEvent, 'key' | 'repeat' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'isComposing'>

export function actionOf(pressed: Pressed, typing: boolean): Action | undefined {
  if (typing || pressed.repeat || pressed.isComposing) return undefined
  if (pressed.ctrlKey || pressed.metaKey || pressed.altKey || pressed.shiftKey) return undefined
  if (pressed.key === 'Escape') return 'disarm'
  return ACTIONS.get(pressed.key.toLowerCase())
}

/** Whether a key goes into a field, or belongs to a dialog that is open. */
export function isTyping(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open]')) return true
  if (!(target instanceof HTMLElement)) return false
  // No text, but a selector.
  const field = target.closest('input, textarea, select, [contenteditable]')
  return field !== null && !field.matches('[type=radio], [type=checkbox], [type=range]')
}
