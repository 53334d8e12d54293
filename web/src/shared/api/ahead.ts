// Reads that a page sends before the code that needs them has arrived. Each answer is taken over once, by the request for its
// address. This file must import nothing: it is part of the first code that runs.

/** Tells the server that a page of its own is asking; another site's page cannot send it. */
export const PAGE_HEADER = { 'X-Bellwether-Page': '1' }

const asked = new Map<string, Promise<Response>>()

/** Resolves when the answer has come, or cannot. */
export function askAhead(address: string): Promise<unknown> {
  const answer = fetch(address, { credentials: 'same-origin', headers: PAGE_HEADER })
  asked.set(new URL(address, location.origin).href, answer)
  // The page that takes it over shows its failure.
  return answer.catch(() => undefined)
}

export function takeAhead({ method, url }: Request): Promise<Response> | undefined {
  if (method !== 'GET') return undefined
  const answer = asked.get(url)
  asked.delete(url)
  return answer
}
