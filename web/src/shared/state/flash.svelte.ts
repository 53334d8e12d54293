// A value that changes lights up for a moment: up and down in their colours. Still for readers who want less motion.
import type { Attachment } from 'svelte/attachments'

const LIT_MILLISECONDS = 900
// No text, but a media query.
const still = matchMedia('(prefers-reduced-motion: reduce)')

// Lights up on a coloured button, where the colours of up and down could not be seen. No text, but a colour.
const ON_COLOUR = 'color-mix(in srgb, currentColor 32%, transparent)'

export function flashes(read: () => number, { onColour = false } = {}): Attachment<HTMLElement> {
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
      const wash = () => getComputedStyle(element).getPropertyValue(value > before ? '--yes-wash' : '--no-wash')
      const colour = onColour ? ON_COLOUR : wash()
      const lit = { backgroundColor: colour, boxShadow: `0 0 0 3px ${colour}`, borderRadius: '4px' }
      element.animate([lit, { ...lit, offset: 0.4 }, {}], { duration: LIT_MILLISECONDS, easing: 'ease-out' })
    })
  }
}
