// A draft as it is typed, and what is sent of it.
import { safeLink } from '../../shared/api/link'
import { isOwnPicture } from '../../shared/api/picture'
import { units } from '../../shared/numbers/decimal'
import type { Currency } from '../../shared/numbers/format'
import { typedText } from '../../shared/numbers/typed'
import type { CreateEvent, EditEvent, Engine, EventDetail, EventType } from '../api/types'
import { type AmountTexts, feeOf, readAmounts, textsOf } from '../state/amounts'
import { fromField, toField } from '../state/dates'
import * as texts from '../texts/events'

export interface MarketDraft {
  /** Empty for a draft that does not exist yet. */
  marketId: string
  title: string
  yesLabel: string
  noLabel: string
  rules: string
  imageUrl: string
  fee: string
  minimum: AmountTexts
}

export interface EventDraft {
  title: string
  slug: string
  type: EventType
  engine: Engine
  currencies: Currency[]
  category: string
  subcategory: string
  description: string
  resolutionSource: string
  additionalContext: string
  imageUrl: string
  /** As typed: words with commas or spaces between them. */
  hashtags: string
  /** As typed, likewise: two letters each. */
  countries: string
  closingDate: string
  resolutionDate: string
  markets: MarketDraft[]
}

export function newMarket(): MarketDraft {
  const minimum = { USD: '', NGN: '' }
  return { marketId: '', title: '', yesLabel: '', noLabel: '', rules: '', imageUrl: '', fee: '', minimum }
}

export function newDraft(): EventDraft {
  return {
    title: '',
    slug: '',
    type: 'single',
    engine: 'CLOB',
    currencies: ['USD', 'NGN'],
    category: '',
    subcategory: '',
    description: '',
    resolutionSource: '',
    additionalContext: '',
    imageUrl: '',
    hashtags: '',
    countries: '',
    closingDate: '',
    resolutionDate: '',
    markets: [newMarket()],
  }
}

export function draftOf(event: EventDetail): EventDraft {
  return {
    title: event.title,
    slug: event.slug,
    type: event.type,
    engine: event.engine,
    currencies: [...event.currencies],
    category: event.category,
    subcategory: event.subcategory,
    description: event.description,
    resolutionSource: event.resolutionSource,
    additionalContext: event.additionalContext,
    imageUrl: event.imageUrl,
    hashtags: event.hashtags.join(', '),
    countries: event.countryCodes.join(', '),
    closingDate: toField(event.closingDate),
    resolutionDate: toField(event.resolutionDate),
    markets: event.markets.map((market) => ({
      marketId: market.marketId,
      title: market.title,
      yesLabel: market.yesLabel,
      noLabel: market.noLabel,
      rules: market.rules,
      imageUrl: market.imageUrl,
      fee: typedText(units(market.feePercentage)),
      minimum: textsOf(market.minimumOrderAmount),
    })),
  }
}

/** What stands between commas and spaces, each once, in the order in which it was typed. */
function wordsOf(typed: string): string[] {
  return [...new Set(typed.split(/[\s,]+/).filter(Boolean))]
}

function hashtagsOf(typed: string): string[] {
  return [...new Set(wordsOf(typed).map((word) => word.replace(/^#+/, '')))].filter(Boolean)
}

function countriesOf(typed: string): string[] {
  const codes = [...new Set(wordsOf(typed).map((word) => word.toUpperCase()))]
  const odd = codes.find((code) => !/^[A-Z]{2}$/.test(code))
  if (odd) throw new Error(texts.aCountryIsTwoLetters(odd))
  return codes
}

function imageOf(typed: string): string {
  const address = typed.trim()
  if (address && !isOwnPicture(address) && !safeLink(address)) throw new Error(texts.thePictureIsAnUploaded)
  return address
}

/** The only market of a single event asks what the event asks. */
function titleOf(draft: EventDraft, market: MarketDraft): string {
  return draft.type === 'single' ? draft.title.trim() : market.title.trim()
}

/** Throws what is wrong with what was typed. */
export function toCreate(draft: EventDraft): CreateEvent {
  if (draft.currencies.length === 0) throw new Error(texts.chooseAtLeastOneCurrency)
  const dates = { closingDate: fromField(draft.closingDate), resolutionDate: fromField(draft.resolutionDate) }
  return {
    slug: draft.slug.trim(),
    title: draft.title.trim(),
    type: draft.type,
    engine: draft.engine,
    currencies: draft.currencies,
    category: draft.category.trim(),
    subcategory: draft.subcategory.trim(),
    description: draft.description.trim(),
    resolutionSource: draft.resolutionSource.trim(),
    additionalContext: draft.additionalContext.trim(),
    imageUrl: imageOf(draft.imageUrl),
    hashtags: hashtagsOf(draft.hashtags),
    countryCodes: countriesOf(draft.countries),
    ...(dates.closingDate ? { closingDate: dates.closingDate } : {}),
    ...(dates.resolutionDate ? { resolutionDate: dates.resolutionDate } : {}),
    markets: draft.markets.map((market) => {
      const [fee, minimum] = [feeOf(market.fee), readAmounts(market.minimum, texts.smallestOrder)]
      return {
        title: titleOf(draft, market),
        rules: market.rules.trim(),
        imageUrl: imageOf(market.imageUrl),
        ...(market.yesLabel.trim() ? { yesLabel: market.yesLabel.trim() } : {}),
        ...(market.noLabel.trim() ? { noLabel: market.noLabel.trim() } : {}),
        ...(fee === undefined ? {} : { feePercentage: fee }),
        ...(minimum ? { minimumOrderAmount: minimum } : {}),
      }
    }),
  }
}

/** Everything that a draft still can change. A date that was set cannot be unset, so an empty one is left out. */
export function toEdit(draft: EventDraft): EditEvent {
  const {
    title,
    category,
    subcategory,
    description,
    resolutionSource,
    additionalContext,
    imageUrl,
    hashtags,
    countryCodes,
    closingDate,
    resolutionDate,
    markets,
  } = toCreate(draft)
  return {
    title,
    category,
    subcategory,
    description,
    resolutionSource,
    additionalContext,
    imageUrl: imageUrl ?? '',
    hashtags: hashtags ?? [],
    countryCodes: countryCodes ?? [],
    ...(closingDate ? { closingDate } : {}),
    ...(resolutionDate ? { resolutionDate } : {}),
    markets: markets.map((market, index) => ({ market: draft.markets[index]!.marketId, ...market })),
  }
}
