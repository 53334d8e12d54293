// Texts of the sign-in. README.md, "Texts", says how to add one.

// SignIn
export const thisTokenIsNotKnown = 'This token is not known, or its operator was suspended or revoked.'
export const signInBellwetherOperator = 'Sign in · Bellwether operator'
export const operatorConsole = 'Operator console'
export const runTheVenueEventsMoney =
  'Run the venue: events, money, verdicts. Everything you do here is in the audit log under your name.'
export const operatorToken = 'Operator token'
export const tokenExample = 'op_…'
export const signingIn = 'Signing in…'
export const signIn = 'Sign in'
export const newHere = 'New here?'
export const makeYourToken = 'Make your token'
export const first = 'first.'
export const theFirstOperatorsToken = "The first operator's token is in"
export const tokenFile = 'operator.token'
export const inTheDataFolder =
  'in the data folder. The browser does not keep it: your session lasts 12 hours and ends when you sign out.'
