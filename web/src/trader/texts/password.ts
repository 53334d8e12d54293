// Texts of the pages for a forgotten password. README.md, "Texts", says how to add one.

// AskReset
export const forgotYourPassword = 'Forgot your password?'
export const enterTheEmail =
  "Enter the email of your account. You get a code, which you read to the venue's support; then you choose a new password here."
export const emailOfYourAccount = 'Email of your account'
export const asking = 'Asking…'
export const getACode = 'Get a code'

// ForgotPage
export const newPasswordBellwether = 'New password · Bellwether'
export const yourNewPasswordIsSet = 'Your new password is set'
export const allEarlierLogins = 'All earlier logins of your account have ended.'
export const newPassword = 'New password'
export const yourRequestIsOver = 'Your request is over'
export const itWasGoodFor24Hours = 'It was good for 24 hours.'
export const askAgain = 'Ask again'

// SetPassword
export const notApprovedYet =
  'Not approved yet. Read your code to the venue’s support first, then try again. If support finds no such code, start again.'
export const yourCode = 'Your code'
export const readThisCode =
  'Read this code to the venue’s support. They check that it is you, and approve your request.'
export const comeBackToThisPage = 'Come back to this page in this browser. No other browser can set your new password.'
export const chooseANewPasswordBelow = 'Choose a new password below.'
export const forWhom = 'For'
export const expiresIn = '. Expires in'
export const aRequestIsGood = ': a request is good for 24 hours.'
export const lengthOfAPassword = '8 to 128 characters'
export const keepMyApiKeys = 'Keep my API keys'
export const otherwiseTheyAreRevokedLeave =
  'Otherwise they are revoked. Leave it off if another person may know your password.'
export const settingIt = 'Setting it…'
export const setTheNewPassword = 'Set the new password'
export const startAgain = 'Start again'
