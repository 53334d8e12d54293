/** Requests of the API, described but not sent: for `client.send`. */

export { describe, keyedWrite, read, write, type Access, type Request } from './base.js'
export * from './trading.js'
