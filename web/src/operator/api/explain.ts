// A refused or lost write in words, for the operator who just tried it.
import { asFailure } from '../../shared/api/failure'
import * as texts from '../texts/words'

export function explain(error: unknown): string {
  const failure = asFailure(error)
  if (failure.outcomeUnknown) return texts.mayHaveHappened(failure.message)
  // The connection can break before the request arrives, and after.
  if (failure.unreachable) return texts.noAnswerCame
  // Other refusals with this status say what stands in the way: a frozen account, a suspension.
  // The comparison is with the words of the API, no text of ours.
  if (failure.status === 403 && failure.message === 'Not allowed') return texts.yourRoleDoesNotAllow
  if (failure.code === 'NEEDS_PROPOSAL') return texts.thePolicyAsks(failure.message)
  return inWords(failure.message)
}

/** `closing_date: lies in the future` is what has to be so, and could be read as what is. */
function inWords(message: string): string {
  const rule = /^([a-z][a-z0-9_]*(?: [a-z]+)?): (.+)$/.exec(message)
  return rule ? texts.ruleFor(rule[1]!.replaceAll('_', ' '), rule[2]!) : message
}
