// Texts of password resets. README.md, "Texts", says how to add one.
import type { Value } from '../../shared/texts/language'

// ApproveDialog
export const aNewPasswordFor = (tag: Value) => `a new password for ${tag}`
export const approved = 'Approved'
export const setsTheNewPassword = (tag: Value) => `${tag} sets the new password in their own browser now.`
export const newPasswordFor = (tag: Value) => `New password for ${tag}`
export const proposeToApproveIt = 'Propose to approve it'
export const approve = 'Approve'
export const makeSureThatYouSpeak =
  'Make sure that you speak with the owner of the account. Let them read out the code on their page, and type what you hear.'
export const codeThatThePersonReads = 'Code that the person reads out'
export const sixCapitalLettersAndDigits = 'Six capital letters and digits; never I, O, 0 or 1.'

// ResetsPage
export const passwordResets = 'Password resets'
export const anyoneCanAsk =
  'Anyone can ask for any account. Check that you speak with its owner, let them read the code out, and approve the request that has it.'
export const requests = 'Requests'
export const requestsForNewPasswords = 'Requests for new passwords'
export const noRequests = 'No requests'
export const aPersonWhoForgot =
  "A person who forgot the password asks for a new one on the traders' page. A request ends after 24 hours."
export const user = 'User'
export const email = 'Email'
export const code = 'Code'
export const requested = 'Requested'
export const expiresIn = 'Expires in'
export const state = 'State'
export const actions = 'Actions'
export const over = 'Over'
export const approveButton = 'Approve…'
