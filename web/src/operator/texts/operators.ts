// Texts of operators and the policy. README.md, "Texts", says how to add one.
import { plural, type Value } from '../../shared/texts/language'

// ActDialog
export const nameAsRole = (name: Value, role: Value) => `${name} as ${role}`
export const isAPerson = (name: Value) => `${name} is a person of its own`
export const propose = (action: Value) => `Propose: ${action}`
export const role = 'Role'
export const countsAsOnePersonWith = 'Counts as one person with'

// CreateOperatorDialog
export const thisIsTheTokenItself =
  'This is the token itself. Ask the new operator for another one, and only for its hash.'
export const theOperatorIsThere = 'The operator is there'
export const newOperator = 'New operator'
export const proposeOperator = 'Propose operator'
export const createOperator = 'Create operator'
export const name = 'Name'
export const theAuditLogGoes = 'The audit log goes by it: one for each person.'
export const theNewOperatorMakes = 'The new operator makes a token in their own browser at'
export const orWith = ', or with'
export const bellwetherOperatorToken = 'bellwether operator token'
export const keepsTheTokenAndSends = ', keeps the token, and sends you its hash.'
export const neverAskForTheToken = 'Never ask for the token: with it you would be that operator.'
export const hashOfTheToken = 'Hash of the token'
export const hexadecimalDigits = '64 hexadecimal digits'
export const thisIsTheTokenItselfOnly = 'This is the token itself. Only its hash belongs here.'
export const anOperatorWhomYouMake =
  'An operator whom you make alone counts as one person with you, until another person confirms it.'

// OperatorCard
export const youMark = 'you'
export const breakGlassTheMachinesOwner = (breakGlassAt: string) =>
  `Break-glass: the machine's owner made this approver on ${breakGlassAt}, past all other approvers.`
export const until24HoursLater =
  ' Until 24 hours later this approver finalises proposals about operators, alone, and nothing else.'
export const person = 'Person'
export const onePersonWith = (onePersonWith: Value) => `One person with ${onePersonWith}`
export const aPersonOfItsOwn = 'A person of its own'
export const movedToday = 'Moved today'
export const since = 'Since'

// OperatorsPage
export const operatorsAndPolicy = 'Operators and policy'
export const eachPersonHasAToken = 'Each person has a token of their own, so that the audit log knows who did what.'
export const makeYourToken = 'Make your token'
export const newOperatorButton = 'New operator…'
export const operators = 'Operators'
export const formerOperators = (count: number) =>
  `${count} former ${plural(count, { one: 'operator', other: 'operators' })}`
export const thePolicy = 'The policy'

// PolicyForm
export const largestEntry = 'Largest entry'
export const mostInADay = 'Most in a day'
export const aChangeOfThePolicy = 'a change of the policy'
export const thePolicyWasChanged = 'The policy was changed'
export const policy = 'Policy'
export const changeButton = 'Change…'
export const secondPerson = 'Second person'
export const requiredAnApprover = 'Required: an approver who is another person than the proposer finalises'
export const notRequired = 'Not required'
export const howLongAVerdictStands = 'How long a verdict stands in public before it can be finalised'
export const largestCreditOrDebitWithout = 'Largest credit or debit without a proposal'
export const oneOperatorInADay = 'One operator in a day (UTC) without a proposal'
export const howLongAnEndedEvent = 'How long an ended event stays in memory before history answers for it'
export const whatOnePersonMayDo = 'What one person may do alone'
export const proposeTheChange = 'Propose the change'
export const changeThePolicy = 'Change the policy'
export const twoPersonsAreRequired = 'Two persons are required'
export const forEveryPayout =
  'For every payout, and for everything about operators, the policy, resets of passwords, and the end of a suspension or freeze. Needs two approvers; those who are there when it is switched on count as different persons.'
export const aVerdictStandsInPublic = 'A verdict stands in public, in seconds'
export const to2592000ThirtyDays = '0 to 2592000, thirty days.'
export const emptyStays = 'Empty: stays'
export const anEndedEventStays = 'An ended event stays in memory, in seconds'
export const secondsRange = '60 to 315360000. It can be read afterwards as before.'

// TokenPage
export const backToTheConsole = 'Back to the console'
export const toTheSignIn = 'To the sign-in'
export const makeYourTokenBellwetherOperator = 'Make your token · Bellwether operator'
export const youSign =
  'You sign in with a token that only you have. It is made here, in your browser, and is never sent anywhere. An approver needs its hash to let you in; the hash opens nothing.'
export const keepTheToken = '1. Keep the token'
export const putItIntoYourPassword =
  'Put it into your password manager now. It is shown once and cannot be found again.'
export const copyToken = 'Copy token'
export const giveItToNoOne = 'Give it to no one, not to an approver either.'
export const sendTheHash = '2. Send the hash'
export const sendItToAnApprover =
  'Send it to an approver with your name, and compare its first and last digits by voice: a hash that was swapped on its way lets another person in.'
export const copyHash = 'Copy hash'
export const signIn = '3. Sign in'
export const onceAnApproverHasCreated =
  'Once an approver has created you, and a second one has agreed where two are required, the token signs you in.'
export const makeAnother = 'Make another'
export const makeAToken = 'Make a token'
export const withoutABrowser = 'Without a browser:'
export const printsAToken = 'prints a token and its hash.'

// acts
export const changeRoleButton = 'Change role…'
export const changeTheRoleOf = (name: Value) => `Change the role of ${name}`
export const changeTheRole = 'Change the role'
export const theNewRoleHolds = 'The new role holds from the next request on.'
export const theRoleIsChanged = 'The role is changed'
export const confirmPersonButton = 'Confirm person…'
export const isAPersonOfItsOwn = (name: Value) => `Is ${name} a person of its own?`
export const proposeIt = 'Propose it'
export const oneOperatorMadeThisOperator =
  'One operator made this operator alone, so both count as one person: neither finalises what the other proposed. Another person confirms that the token belongs to a person who is not its maker.'
export const confirmed = 'Confirmed'
export const suspendButton = 'Suspend…'
export const suspendQuestion = (name: Value) => `Suspend ${name}?`
export const suspend = 'Suspend'
export const theTokenAndAllSessions =
  'The token and all sessions stop working at once. An approver can reinstate the operator later.'
export const suspended = 'Suspended'
export const endOfTheSuspension = 'End of the suspension'
export const daysOf = (days: string) => (days === '0' ? 'No end' : days === '1' ? 'A day' : `${days} days`)
export const withoutThisApprover =
  'Without this approver nothing can be finalised, not even the end of the suspension. So it ends by itself.'
export const suspendedUntil = (date: string) => `Suspended until ${date}.`
export const reinstateButton = 'Reinstate…'
export const reinstateQuestion = (name: Value) => `Reinstate ${name}?`
export const reinstate = 'Reinstate'
export const theTokenWorksAgain = 'The token works again.'
export const reinstated = 'Reinstated'
export const revokeButton = 'Revoke…'
export const revokeQuestion = (name: Value) => `Revoke ${name}?`
export const revoke = 'Revoke'
export const theTokenStopsWorking = 'The token stops working for good. What the operator did stays in the log.'
export const accessEnded = 'Access ended'

// roles
export const viewer = 'Viewer'
export const operator = 'Operator'
export const approver = 'Approver'
export const looksAtEverythingAndPreviews = 'Looks at everything and previews payouts; changes nothing.'
export const runsTheVenueUsersMoney =
  'Runs the venue: users, money within the caps, events, pools, series, sports, results.'
export const theSameAndAppointsOperators =
  'The same, and appoints operators, sets the policy, finalises what needs a second person.'
