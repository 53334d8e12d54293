// A value that changes lights up for a moment: up and down in their colours. Still for readers who want less motion.
import type { Attachment } from 'svelte/attachments'

const LIT_MILLISECONDS = 900
// No text, but a media query.
const still = matchMedia('(prefers-reduced-motion: reduce)')

export function flashes(read: () => number): Attachment<HTMLElement> {
  return (element) => {
    let last: number | undefined
    $effect(() => {
      const value = read()
      const before = last
      last = value
      if (before === undefined || value === before) return
      // For tests and for styles that want to know: which way it went last.
      element.dataset.moved = value > before ? 'up' : 'down'
      if (still.matches) return
      const colour = getComputedStyle(element).getPropertyValue(value > before ? '--yes-wash' : '--no-wash')
      const lit = { backgroundColor: colour, boxShadow: `0 0 0 3px ${colour}`, borderRadius: '4px' }
      element.animate([lit, { ...lit, offset: 0.4 }, {}], { duration: LIT_MILLISECONDS, easing: 'ease-out' })
    })
  }
}
