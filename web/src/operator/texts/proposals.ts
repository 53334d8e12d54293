// Texts of proposals. README.md, "Texts", says how to add one.
import { plural, type Value } from '../../shared/texts/language'

// FinaliseDialog
export const whatIsPaidCannot = 'What is paid cannot be taken back.'
export const moneyMovesAsSoon = 'Money moves as soon as you finalise it.'
export const finalisedAndPaid = 'Finalised and paid'
export const finalised = 'Finalised'
export const finalise = 'finalise'
export const finaliseAndPay = 'Finalise and pay'
export const finaliseIt = 'Finalise'
export const verdict = 'Verdict:'
export const proposedBy = (proposers: Value) => `, proposed by ${proposers}.`
export const proposedByItTakesEffect = (proposers: Value) => `Proposed by ${proposers}. It takes effect at once.`

// ProposalCard
export const theExchange = 'the exchange'
export const proposerAs = (name: Value, role: Value) => `${name} (${role})`
export const whatOnePersonMayDo = 'What one person may do alone'
export const yesPaysOfAShare = (yesPrice: Value) => `YES pays ${yesPrice} of a share, NO the rest.`
export const twoPersonsDelayEntryDay = (
  what: string,
  spanWords: Value,
  capWords: Value,
  capWords2: Value,
  capWords3: Value,
  capWords4: Value,
  spanWords2: Value,
) =>
  `Two persons ${what}, delay ${spanWords}, entry ${capWords} / ${capWords2}, day ${capWords3} / ${capWords4}, ended events in memory for ${spanWords2}`
export const required = 'required'
export const notRequired = 'not required'
export const proposedByAt = (proposers: Value, proposedAt: string) => `Proposed by ${proposers}, ${proposedAt}.`
export const finalIn = ' Final in'
export const itsPricesWerePushed = ' Its prices were pushed by an operator, so another person confirms the result.'
export const finaliseButton = 'Finalise…'
export const withdrawButton = 'Withdraw…'

// ProposalsPage
export const all = 'All'
export const verdicts = 'Verdicts'
export const money = 'Money'
export const users = 'Users'
export const operatorsAndPolicy = 'Operators and policy'
export const proposals = 'Proposals'
export const whatWaits =
  'What one person may not do alone, or not at once. An approver finalises it; where two are required, another person than the proposer.'
export const thisProposalNoLongerWaits = 'This proposal no longer waits'
export const itWasFinalisedOrWithdrawn =
  'It was finalised or withdrawn, or its event ended otherwise. The audit log says which.'
export const toTheAuditLog = 'To the audit log'
export const whatItIsAbout = 'What it is about'
export const pendingProposals = 'Pending proposals'
export const nothingElseWaits = 'Nothing else waits'
export const nothingWaitsForApproval = 'Nothing waits for approval'
export const verdictsMoneyAboveTheCaps =
  'Verdicts, money above the caps, and changes of operators and of the policy stand here.'

// SeriesResults
export const countOfResults = (shown: string, count: number) =>
  `${shown} ${plural(count, { one: 'result', other: 'results' })}`
export const resultsFinalised = (words: Value) => `${words} finalised and paid`
export const resultsOf = (slug: Value) => `Results of ${slug}`
export const resultsOfASeries = 'Results of a series'
export const finaliseAllOfThisSeries = 'Finalise all of this series…'
export const waitBecausePushedAPrice = (words: Value, count: number, pushers: Value) =>
  `${words} ${plural(count, { one: 'waits', other: 'wait' })}, because ${pushers} pushed a price. Another person confirms them.`
export const showAll = (count: string) => `Show all ${count}`
export const finaliseAllResultsOf = (slug: Value) => `Finalise all results of ${slug}?`
export const canBeFinalisedNow = (words: Value) => `${words} can be finalised now, the oldest first`
export const atATime = (atOnceMax: Value) => `, ${atOnceMax} at a time`
export const compareThePushedPrices = '. Compare the pushed prices with another source first.'

// WithdrawDialog
export const withdrawn = 'Withdrawn'
export const withdrawTheProposal = 'Withdraw the proposal?'
export const withdraw = 'Withdraw'
export const why = 'Why'
export const staysWithTheEvent = 'Stays with the event, for everyone to read.'
export const standsInTheAuditLog = 'Stands in the audit log.'

// rules
export const aViewerOnlyLooks = 'A viewer only looks.'
export const anApproverHasToFinalise = 'An approver has to finalise it.'
export const aBreakGlassApproverFinalises = 'A break-glass approver finalises proposals about operators only.'
export const youProposedItAnotherApprover = 'You proposed it: another approver has to finalise it.'
export const youCountAsOnePerson = (same: Value) =>
  `You count as one person with ${same}, who proposed it: another approver has to finalise it.`
export const itStandsInPublic = 'It stands in public until its time has come.'
export const up = 'Up'
export const down = 'Down'
export const calledOff = 'Called off'
export const marketsRuled = (count: number) => `${count} ${plural(count, { one: 'market', other: 'markets' })} ruled`
