/** The exchange of the whole run. Each test uses a market or a person of its own where others would disturb it. */

import { start, type Exchange } from './exchange.js'

export const BOOK = 'rain-in-lagos-on-new-years-day'
export const POOL = 'marathon-record-this-season'

export const exchange: Exchange = await start()
