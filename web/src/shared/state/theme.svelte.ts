// Light or dark: the system's choice until the reader makes another, which is kept. public/theme.js applies it before the
// first paint; the names here and there must agree.

export type Theme = 'light' | 'dark'
const KEY = 'bellwether.theme'
// No text, but a media query.
const system = matchMedia('(prefers-color-scheme: dark)')

function chosen(): Theme | null {
  const kept = localStorage.getItem(KEY)
  return kept === 'light' || kept === 'dark' ? kept : null
}

let choice = $state(chosen())
let systemDark = $state(system.matches)
system.addEventListener('change', () => (systemDark = system.matches))

export const theme = {
  get current(): Theme {
    return choice ?? (systemDark ? 'dark' : 'light')
  },
  toggle() {
    choice = this.current === 'dark' ? 'light' : 'dark'
    localStorage.setItem(KEY, choice)
    document.documentElement.dataset.theme = choice
  },
}
