// Texts of the form to log in. README.md, "Texts", says how to add one.
import type { Value } from '../../shared/texts/language'

// LoginDialog
export const logInToTrade = 'Log in to trade'

// LoginForm
export const welcome = (name: Value) => `Welcome, ${name}`
export const email = 'Email'
export const password = 'Password'
export const loggingIn = 'Logging in…'
export const logIn = 'Log in'
export const forgotYourPassword = 'Forgot your password?'
export const yourSessionLives = 'Your session lives in a cookie that scripts cannot read. No key is made for it.'
