// What an entry of the audit log says, in words. The log has names of commands, codes of refusals and ids of markets.
import type { AuditEntry } from '../api/types'
import { proposedWords, sentence } from '../state/words'
import { refusals } from '../texts/refusals'

/** Why it was refused. */
export const refusalWords = (code: string) => refusals[code] ?? sentence(code).toLowerCase()

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
/** The end of a proposal has the summary of its beginning. */
const ABOUT_PROPOSALS = ['propose', 'finalise', 'withdraw']
/** The name of a command before the rest: credit_wallet: ada, 5.00 USD. */
const PROPOSED = /^[a-z]+(?:_[a-z]+)+(?=:|$)/

/** The summary, with titles in place of the ids of markets and the name of a proposed command in words. */
export function summaryWords(
  { action, summary }: Pick<AuditEntry, 'action' | 'summary'>,
  titleOf: (marketId: string) => string | undefined,
): string {
  const titled = summary.replace(ID, (id) => titleOf(id) ?? '…')
  return ABOUT_PROPOSALS.includes(action) ? titled.replace(PROPOSED, proposedWords) : titled
}
