// A refused or lost write in words, for the operator who just tried it.
import { asFailure } from '../../shared/api/failure'

export function explain(error: unknown): string {
  const failure = asFailure(error)
  if (failure.outcomeUnknown) return `${failure.message} It may have happened: look before you send it again.`
  // The connection can break before the request arrives, and after.
  if (failure.unreachable) return 'No answer came. It may have happened: look before you send it again.'
  // Other refusals with this status say what stands in the way: a frozen account, a suspension.
  if (failure.status === 403 && failure.message === 'Not allowed') return 'Your role does not allow this.'
  if (failure.code === 'NEEDS_PROPOSAL') return `${failure.message} The policy asks for a proposal first.`
  return inWords(failure.message)
}

/** `closing_date: lies in the future` is what has to be so, and could be read as what is. */
function inWords(message: string): string {
  const rule = /^([a-z][a-z0-9_]*(?: [a-z]+)?): (.+)$/.exec(message)
  return rule ? `The rule for the ${rule[1]!.replaceAll('_', ' ')}: ${rule[2]}.` : message
}
