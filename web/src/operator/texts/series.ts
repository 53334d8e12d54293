// Texts of series and feeds. README.md, "Texts", says how to add one.
import { plural, type Value } from '../../shared/texts/language'

// CreateSeriesDialog
export const chooseAtLeastOneCurrency = 'Choose at least one currency.'
export const twoSourcesAtTheMost = 'Two sources at the most.'
export const seed = 'Seed'
export const theSeriesIsThere = 'The series is there'
export const itsFirstEventBegins = 'Its first event begins at the next full interval.'
export const newSeries = 'New series'
export const createSeries = 'Create series'
export const name = 'Name'
export const bitcoin = 'Bitcoin'
export const slug = 'Slug'
export const cryptoBtcHourly = 'crypto-btc-1h'
export const asset = 'Asset'
export const btcusdt = 'BTCUSDT'
export const category = 'Category'
export const rhythm = 'Rhythm'
export const feeInPercent = 'Fee in percent'
export const engine = 'Engine'
export const seedOfEachPool = 'Seed of each pool'
export const byTheHouse = 'By the house, for every event'
export const rules = 'Rules'
export const whosePricesCount = 'Whose prices count'
export const noneAnyonesOneOrTwo = "None: anyone's. One, or two by a comma that must agree."
export const howFarApart = 'How far apart they may be, in millionths'

// Feeds
export const lastPrices = 'Last prices'
export const noPricesYet = 'No prices yet'
export const configureAFeedOrPush = 'Configure a feed, or push one.'
export const price = 'Price'
export const from = 'From'
export const seen = 'Seen'
export const state = 'State'
export const actions = 'Actions'
export const pushButton = 'Push…'
export const feedsOfThisNode = 'Feeds of this node'
export const noFeedsAreConfigured = 'No feeds are configured'
export const theyStandInTheConfiguration = 'They stand in the configuration file of the exchange.'
export const feeds = 'Feeds'
export const feed = 'Feed'
export const kind = 'Kind'
export const lastValue = 'Last value'
export const lastSuccess = 'Last success'
export const failures = 'Failures'
export const never = 'never'

// PushDialog
export const recorded = 'Recorded'
export const sizeAtPrice = (asset: Value, assetPrice: Value) => `${asset} at ${assetPrice}`
export const pushAPrice = 'Push a price'
export const recordItAllTheSame = 'Record it all the same'
export const recordThePrice = 'Record the price'
export const thisIsFar = 'This is far from the last price. Series that count it may open, close and pay by it.'
export const uppercaseLettersAndDigits = 'Uppercase letters and digits'
export const noPriceIsKnownYet = 'No price is known yet.'
export const last = (assetPrice: Value, what: Value) => `Last: ${assetPrice}${what}`
export const thisIs = (apart: string) => `, this is ${apart}`
export const source = 'Source'
export const aSeriesMayCountSome = 'A series may count some sources only.'

// SeriesCard
export const theSeriesGoesOn = 'The series goes on'
export const theSeriesIsPaused = 'The series is paused'
export const noPrice = 'No price'
export const nextEvent = 'Next event'
export const whenItGoesOn = 'when it goes on'
export const inCurrency = 'in'
export const aMoment = 'a moment'
export const fee = 'Fee'
export const whosePrices = 'Whose prices'
export const anyones = "anyone's"
export const withinPpm = (tolerancePpm: Value) => `, within ${tolerancePpm} ppm`
export const alerts = (count: number) => `${count} ${plural(count, { one: 'alert', other: 'alerts' })}`
export const itsEvents = 'Its events'
export const resumeButton = 'Resume…'
export const pauseButton = 'Pause…'
export const letGoOnQuestion = (displayName: Value) => `Let ${displayName} go on?`
export const pauseQuestion = (displayName: Value) => `Pause ${displayName}?`
export const resume = 'Resume'
export const pause = 'Pause'
export const itMakesEventsAgain = 'It makes events again, from the next full interval on.'
export const itMakesNoMoreEvents = 'It creates no more events. The current event runs to its end.'

// SeriesPage
export const seriesAndFeeds = 'Series and feeds'
export const aSeriesAsksTheSame =
  'A series asks the same question of one asset at every interval. It opens, closes and pays by itself as long as prices come in.'
export const pushAPriceButton = 'Push a price…'
export const newSeriesButton = 'New series…'
export const seriesOrFeeds = 'Series or feeds'
export const series = 'Series'
export const feedsAndPrices = 'Feeds and prices'
export const noSeriesYet = 'No series yet'
export const makeOneAndFeed = 'Make one, and feed it with prices.'
