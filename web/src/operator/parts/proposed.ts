// Where one person may not act alone, the exchange makes a proposal of the request. A message says so, and leads there.
import { toasts } from '../../shared/state/toasts.svelte'
import { venue } from '../state/venue.svelte'
import * as texts from '../texts/parts'

export const addressOf = (proposalId: string) => `/proposals/${proposalId}`

/** Whether an answer says that the request became a proposal. If so, a message says it too. */
export function becameProposal(answered: object, what: string): boolean {
  const id = 'proposalId' in answered ? answered.proposalId : undefined
  if (typeof id !== 'string') return false
  const detail = texts.nothingHasHappenedYet
  toasts.show('plain', texts.proposed(what), detail, { address: addressOf(id), label: texts.openTheProposal })
  venue.refresh()
  return true
}
