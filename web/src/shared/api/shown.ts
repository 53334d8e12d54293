// Whom the page shows. A browser sends the cookie of its newest login from every tab, so each request names the person that its
// page shows: the exchange refuses it if the session is another one's. state/session.svelte.ts sets this.

/** The code of that refusal: nothing was done. */
export const OF_ANOTHER = 'SESSION_OF_ANOTHER'

export interface Shown {
  id: string
  name: string
}

let person: Shown | undefined
let resolve: () => void
const known = new Promise<void>((done) => (resolve = done))

export const shown = {
  /** Nothing while nobody is shown. */
  get person() {
    return person
  },
  /** From now on the page shows this person, or nobody. */
  become(next: Shown | undefined) {
    person = next
    resolve()
  },
  /** Asks who is logged in now and shows that person; false if there was no answer. */
  askAnew: async () => false,
}

/** The header of a request. A write without it is refused, so the first ones wait until it is known whom the page shows. */
export async function asShown(method: string): Promise<Record<string, string>> {
  if (method !== 'GET') await known
  return person ? { 'X-Bellwether-As': person.id } : {}
}
