// Texts of events: lists, forms, verdicts, import, calendar. README.md, "Texts", says how to add one.
import { plural, type Value } from '../../shared/texts/language'

// BulkBar
export const ofWereRefused = (failed: string, count: string) => `${failed} of ${count} were refused`
export const theOthersWent = 'The others went through. The refused ones say why below.'
export const chosenEvents = 'Chosen events'
export const chosen = (count: string) => `${count} chosen`
export const chooseNone = 'Choose none'
export const countOfEvents = (shown: string, count: number) =>
  `${shown} ${plural(count, { one: 'event', other: 'events' })}`
export const ofTheChosenOnesCannot = (count: string) =>
  `${count} of the chosen ones cannot take this step and stay as they are.`
export const ofDone = (finished: string, count: string) => `${finished} of ${count} done`

// CalendarPage
export const closings = 'Closings'
export const whenTradingCloses = 'When trading closes, in your own time. An event without a date closes by hand.'
export const allEvents = 'Events'
export const previous = 'Previous'
export const thisMonth = 'This month'
export const next = 'Next'
export const theEvents = 'The events'
export const nothingClosesInThisMonth = 'Nothing closes in this month.'
export const closingsIn = (name: Value) => `Closings in ${name}`
export const more = (value: Value) => `${value} more`

// CancelMarketDialog
export const whatYesPays = 'What YES pays'
export const calledOff = 'Called off'
export const callOffThisMarket = 'Call off this market?'
export const callOffAndPay = 'Call off and pay'
export const whatIsPaidCannot = 'What is paid cannot be taken back.'
export const whatAYesSharePays = 'What a YES share pays'
export const to1InWholeCents = '0 to 1 in whole cents. NO pays the rest.'

// EditEventPage
export const theDraftWasChanged = 'The draft was changed'
export const editDraft = 'Edit draft'
export const theEvent = 'The event'
export const itCannotBeEdited = 'It cannot be edited'
export const onlyADraft =
  'Only a draft can, by an operator. Fee and smallest orders of an open market can be changed on its page.'
export const toTheEvent = 'To the event'
export const saveTheDraft = 'Save the draft'

// EventForm
export const single = 'Single'
export const oneQuestion = 'One question'
export const combined = 'Combined'
export const severalOfWhichAtMost = 'Several, of which at most one comes true'
export const grouped = 'Grouped'
export const severalEachOnItsOwn = 'Several, each on its own'
export const oneQuestionYesOrNo = 'One question, yes or no.'
export const severalAnswers = 'Several answers of which at most one comes true: one YES makes the others NO.'
export const severalQuestionsUnderOneTitle = 'Several questions under one title, each decided on its own.'
export const mustBeFilledIn = '* must be filled in'
export const theQuestion = 'The question'
export const title = 'Title'
export const doesItRainInLagos = 'Does it rain in Lagos on Sunday?'
export const slug = 'Slug'
export const cannotBeChanged = 'Cannot be changed.'
export const itsNameInAddressesLowercase = 'Its name in addresses: lowercase letters, digits, hyphens.'
export const category = 'Category'
export const subcategory = 'Subcategory'
export const description = 'Description'
export const resolutionSource = 'Resolution source'
export const whoOrWhatDecidesIt = 'Who or what decides it.'
export const additionalContext = 'Additional context'
export const picture = 'Picture'
export const hashtags = 'Hashtags'
export const commasOrSpacesBetweenThem = 'Commas or spaces between them.'
export const hashtagsExample = 'rain, lagos'
export const countries = 'Countries'
export const twoLettersEachForReaders = 'Two letters each. For readers: they keep no person out.'
export const countriesExample = 'NG, GH'
export const howItTrades = 'How it trades'
export const tradesAgainstAPool = 'Trades against a pool.'
export const tradesOnAnOrderBook = 'Trades on an order book.'
export const kind = 'Kind'
export const engine = 'Engine'
export const theHouseSeedsAPool = 'The house seeds a pool for each market and currency before it can open.'
export const tradersMeetInABook = 'Traders meet in a book; the house puts in nothing.'
export const tradingCloses = 'Trading closes'
export const yourOwnTimeEmpty = 'Your own time. Empty: by hand.'
export const decidedBy = 'Decided by'
export const forPeopleToRead = 'For people to read.'
export const rulesAndTerms = 'Rules and terms'
export const markets = 'Markets'
export const addAMarket = 'Add a market'
export const neverMind = 'Never mind'
export const saveAsATemplate = 'Save as a template'

// EventPage
export const theDraftWasCalledOff = 'The draft was called off'
export const seedEachPool = 'Seed each pool in each currency first.'
export const event = 'Event'
export const duplicate = 'Duplicate'
export const edit = 'Edit'
export const resolveButton = 'Resolve…'
export const callOffButton = 'Call off…'
export const pendingProposal = 'Pending proposal'
export const aboutTheEvent = 'About the event'
export const currencies = 'Currencies'
export const made = 'Made'
export const byHand = 'by hand'
export const source = 'Source'
export const auditLog = 'Audit log'
export const fingerprintOfTheRules = 'Fingerprint of the rules'
export const sha256 = (rulesSha256: Value) => `SHA-256 ${rulesSha256}`
export const countOfMarkets = (count: number) => plural(count, { one: 'Market', other: `${count} markets` })
export const callOffThisDraft = 'Call off this draft?'
export const callItOff = 'Call it off'
export const itNeverTradedSoNobody =
  'It never traded, so only the house is paid: it gets its pools back. It cannot be opened any more.'

// EventPreview
export const asTradersSeeIt = 'As traders see it'
export const theTitleOfTheQuestion = 'The title of the question'
export const tradingClosesAt = (closes: string) => `Trading closes ${closes}`
export const tradingClosesByHand = 'Trading closes by hand'
export const marketNumber = (value: Value) => `Market ${value}`
export const yes = 'Yes'
export const no = 'No'
export const noRulesYet = 'No rules yet.'
export const fee = (percent: string) => `Fee ${percent}`
export const address = (value: Value) => `/events/${value}`

// EventsPage
export const everyQuestionTheVenueAsks = 'Every question the venue asks, drafts included, the newest first.'
export const noEvents = 'No events'
export const nothingMatchesTryAnotherState = 'Nothing matches. Try another state or word.'
export const makeTheFirstOne = 'Make the first one.'
export const choose = 'Choose'
export const state = 'State'
export const closes = 'Closes'
export const importButton = 'Import…'
export const newEvent = 'New event'
export const all = 'All'
export const searchTitlesAndSlugs = 'Search titles and slugs'
export const chooseAllOnThisPage = 'Choose all on this page'
export const thisCouldNotBeLoaded = 'This could not be loaded. Reload the page.'
export const chooseEvent = (title: Value) => `Choose ${title}`
export const listOfEvents = 'events'

// ImportPage
export const thereIsAnEvent = (slug: Value) => `There is an event with the slug “${slug}” already.`
export const whichTeamWinsTheHarbour = 'Which team wins the harbour cup?'
export const theLeague = 'The league'
export const cupHarbour = 'cup harbour'
export const yesIfWin = (market: Value) => `YES if ${market} win.`
export const reds = 'Reds'
export const blues = 'Blues'
export const importEvents = 'Import events'
export const aRowForEachMarket =
  'A row for each market; rows with one slug are one event. Each becomes a draft that only operators see.'
export const exampleFile = 'Example file'
export const aViewerOnlyLooks = 'A viewer only looks'
export const askAnOperatorToImport = 'Ask an operator to import them.'
export const aCsvFile = 'A CSV file'
export const orItsContents = 'Or its contents'
export const columnsOnlyTitleAndCategory = (columns: Value) =>
  `Columns: ${columns}. Only title and category are needed. Dates have a time zone: 2030-01-31T18:00:00Z.`
export const checkIt = 'Check it'
export const createDrafts = (shown: string, count: number) =>
  `Create ${shown} ${plural(count, { one: 'draft', other: 'drafts' })}`
export const createDraftsLater = 'Create drafts'
export const ofMade = (made: string, count: string) => `${made} of ${count} made`
export const toMendFirst = 'To mend first'
export const mistakesByLine = 'Mistakes by line'
export const line = 'Line'
export const mistake = 'Mistake'
export const whatItWouldMake = 'What it would make'
export const eventsOfTheFile = 'Events of the file'
export const notMadeYet = 'Not made yet'

// MarketCard
export const yesPaid = (percent: string) => `YES paid ${percent}`
export const labels = 'Labels'
export const feeLabel = 'Fee'
export const smallestOrder = 'Smallest order'
export const currenciesOf = (title: Value) => `Currencies of ${title}`
export const currency = 'Currency'
export const yesAt = 'YES at'
export const volume = 'Volume'
export const collateral = 'Collateral'
export const poolYes = 'Pool YES'
export const poolNo = 'Pool NO'
export const pool = 'Pool'
export const growButton = 'Grow…'
export const seedButton = 'Seed…'
export const termsButton = 'Terms…'

// MarketFields
export const theMarket = 'The market'
export const marketAt = (place: Value) => `Market ${place}`
export const remove = 'Remove'
export const titleOfMarket = (place: Value) => `Title of market ${place}`
export const rules = 'Rules'
export const rulesOfMarket = (place: Value) => `Rules of market ${place}`
export const whenItIsYes = 'When it is YES, in words that leave nothing open.'
export const pictureOfMarket = (place: Value) => `Picture of market ${place}`
export const labelsFeeAndSmallestOrder = 'Labels, fee and smallest order'
export const labelOfYes = 'Label of YES'
export const yesOutcome = 'YES'
export const labelOfNo = 'Label of NO'
export const noOutcome = 'NO'
export const feeInPercent = 'Fee in percent'

// NewEventPage
export const withoutATitle = 'Without a title'
export const keptAsATemplate = 'Kept as a template in this browser'
export const aDraftWasMade = 'A draft was made'
export const nobodySees = 'It is hidden until it opens.'
export const itBeginsAsADraft = 'It begins as a draft that only operators see.'
export const askAnOperatorToCreate = 'Ask an operator to create it.'
export const theEventToDuplicate = 'The event to duplicate'
export const beginFromATemplate = 'Begin from a template'
export const anEmptyDraft = 'An empty draft'
export const forgetThisTemplate = 'Forget this template'
export const createDraft = 'Create draft'

// PastVerdicts
export const howItEnded = 'How it ended'
export const withdrawn = 'Withdrawn'
export const resolved = 'Resolved'
export const aYesSharePays = (yesPrice: string) => `A YES share pays ${yesPrice} of a dollar.`
export const proposedByTheEnded = (proposedBy: Value, proposedAt: string, endedBy: Value, endedAt: string) =>
  `Proposed by the ${proposedBy}, ${proposedAt}; ended by the ${endedBy}, ${endedAt}.`
export const why = (reason: Value) => ` Why: ${reason}`
export const series = 'Series'
export const atTheOpening = (assetSymbol: Value) => `${assetSymbol} at the opening`
export const atTheClose = 'At the close'
export const notKnown = 'not known'
export const said = (source: Value, sourceTime: string) => `${source} said, ${sourceTime}`

// PictureField
export const uploadAPngJpeg =
  'Upload a PNG, JPEG or WebP file. An address elsewhere is only for programs: pages show uploaded files.'
export const https = 'https://'
export const uploading = 'Uploading…'
export const uploadAFileButton = 'Upload a file…'
export const removeIt = 'Remove it'

// PicturePreview
export const preview = 'Preview'

// PoolDialog
export const amountAPlainNumber = 'Amount: a plain number.'
export const price = 'Price'
export const amountFor = (wanted: string, title: Value) => `${wanted} for ${title}`
export const thePoolHasGrown = 'The pool has grown'
export const thePoolIsSeeded = 'The pool is seeded'
export const thePoolIn = (what: string, currency: Value) => `${what} the pool in ${currency}`
export const grow = 'Grow'
export const seed = 'Seed'
export const add = 'Add'
export const amountOfTheHouse = (currency: Value) => `Amount of the house, ${currency}`
export const priceOfYesToBegin = 'Price of YES to begin with'
export const priceRange = (least: string, most: string) => `${least} to ${most}`
export const theHouseHas = 'The house has'
export const andAfterIt = 'And after it'

// TermsDialog
export const theTermsWereChanged = 'The terms were changed'
export const terms = 'Terms'
export const termsOf = (title: Value) => `Terms of ${title}`
export const aRaiseIsAnnounced = 'A higher fee or smallest order is announced now and applies in an hour. A lower one applies at once.'
export const announcedFee = (fee: Value, date: string) => `Fee ${fee} from ${date}`
export const announcedMinimum = (amounts: string, date: string) => `${amounts} from ${date}`
export const changeTheTerms = 'Change the terms'
export const ordersThatRestKeep = (title: Value) => `${title}. Orders that rest keep what they were placed with.`

// VerdictDialog
export const sayHowItEnds = 'Say how it ends.'
export const doneAndPaid = 'Done and paid'
export const proposed = 'Proposed'
export const everyoneCanSeeItNothing = 'Everyone can see it. Nothing is paid before it is finalised.'
export const leave = 'Leave'
export const howDidItEnd = 'How did it end?'
export const callItOffQuestion = 'Call it off?'
export const resolveAndPay = 'Resolve and pay'
export const propose = 'Propose'
export const atMostOneComesTrue = 'At most one comes true. A YES makes all the others NO.'
export const outcomeOf = (title: Value) => `Outcome of ${title}`
export const to1InWholeCentsNo =
  '0 to 1 in whole cents. NO pays the rest, so that exactly what was paid in is paid out.'
export const whatItPays = 'What it pays'
export const when = 'When'
export const payAtOnce = 'Pay at once'
export const proposeFirst = 'Propose first'
export const twoPersonsAreRequiredAnother = 'Two persons are required: another approver finalises what you propose.'
export const itStandsInPublic = 'It stands in public for a while before it can be finalised.'

// actions
export const openButton = 'Open…'
export const letItTrade = 'Let it trade'
export const letItTradeQuestion = 'Let it trade?'
export const everyoneSeesItFromNow = 'Everyone sees it from now on. What people trade on cannot be edited any more.'
export const itTrades = 'It trades'
export const pauseButton = 'Pause…'
export const pauseTrading = 'Pause trading'
export const pauseTradingQuestion = 'Pause trading?'
export const nothingNewIsTaken = 'Nothing new is taken. What rests stays and can be cancelled.'
export const tradingIsPaused = 'Trading is paused'
export const resumeButton = 'Resume…'
export const goOnTrading = 'Go on trading'
export const goOnTradingQuestion = 'Go on trading?'
export const ordersAreTakenAgain = 'Orders are taken again, and what rested trades again.'
export const itTradesAgain = 'It trades again'
export const closeButton = 'Close…'
export const closeForGood = 'Close for good'
export const closeForGoodQuestion = 'Close for good?'
export const tradingEndsAndCannot = 'Trading ends and cannot be taken up again. What rests is refunded.'
export const tradingIsClosed = 'Trading is closed'

// csv-events
export const theFileIsEmpty = 'The file is empty.'
export const noColumnIsCalled = (name: Value) => `No column is called “${name}”.`
export const theColumnIsMissing = (name: Value) => `The column “${name}” is missing.`
export const aColumnIsThereTwice = 'A column is there twice.'
export const thereIsNoEventBelow = 'There is no event below the names of the columns.'
export const cellsButThereAreColumns = (cells: number, columns: number) =>
  `${cells} ${plural(cells, { one: 'cell', other: 'cells' })}, but there are ${columns} columns. Is a comma not in quotes?`
export const aTitleOrASlug = 'A title or a slug is needed.'
export const isAnotherThanInLine = (other: Value, line: Value) =>
  `“${other}” is another than in line ${line}, which has the same slug.`
export const isEmpty = (name: Value) => `“${name}” is empty.`
export const aSlugHasLowercaseLetters = 'A slug has lowercase letters, digits and hyphens.'
export const aSingleEventHasOne = 'A single event has one market.'
export const aEventHasTwoMarkets = (type: Value) => `A ${type} event has two markets or more.`
export const marketTitleIsEmpty = '“marketTitle” is empty.'
export const isOneOfNot = (name: Value, words: Value, value: Value) => `“${name}” is one of ${words}, not “${value}”.`
export const isNoCurrencyUsd = (odd: Value) => `“${odd}” is no currency: USD and NGN are.`
export const isAMomentSuch = (name: Value, written: Value) =>
  `“${name}” is a moment such as 2030-01-31T18:00:00Z, not “${written}”.`

// draft
export const aCountryIsTwoLetters = (odd: Value) => `A country is two letters, such as NG: ${odd} is not.`
export const thePictureIsAnUploaded =
  'The picture is an uploaded file, or an address that begins with https:// or http://.'
export const chooseAtLeastOneCurrency = 'Choose at least one currency.'

// upload
export const theFileIsLarger = 'The file is larger than 4 MiB.'
