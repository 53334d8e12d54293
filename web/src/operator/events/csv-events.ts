// Events out of a CSV file: a row for each market, the rows of one slug together. Everything wrong is said with its line.
import { parseCsv } from '../../shared/csv/csv'
import type { Currency } from '../../shared/numbers/format'
import { signsOf } from '../../shared/numbers/locale'
import { parseInput, typedText } from '../../shared/numbers/typed'
import type { CreateEvent } from '../api/types'
import { slugOf } from '../state/words'
import * as texts from '../texts/events'
import { aPlainNumber } from '../texts/words'
import { type EventDraft, type MarketDraft, newDraft, newMarket, toCreate } from './draft'

/** Columns that describe the event, and those that describe one market of it. */
const EVENT_COLUMNS = [
  ...['title', 'slug', 'type', 'engine', 'currencies', 'category', 'subcategory', 'description', 'resolutionSource'],
  ...['additionalContext', 'imageUrl', 'hashtags', 'countries', 'closingDate', 'resolutionDate'],
] as const
const MARKET_COLUMNS = ['marketTitle', 'rules', 'yesLabel', 'noLabel', 'fee', 'minimumUsd', 'minimumNgn'] as const
export const COLUMNS: readonly string[] = [...EVENT_COLUMNS, ...MARKET_COLUMNS]
const REQUIRED = ['title', 'category'] as const

export interface Problem {
  line: number
  message: string
}
export interface Planned {
  line: number
  body: CreateEvent
}
export interface Plan {
  events: Planned[]
  problems: Problem[]
}

/** Of numbers in a file, which means the same everywhere. */
const SIGNS = signsOf('en')
const PLACES = 6

type Row = Record<string, string> & { line: number }

export function planOf(file: string): Plan {
  const problems: Problem[] = []
  const said = (line: number, message: string) => void problems.push({ line, message })
  let rows
  try {
    rows = parseCsv(file)
  } catch (error) {
    return { events: [], problems: [{ line: 1, message: (error as Error).message }] }
  }
  const [head, ...lines] = rows
  if (!head) return { events: [], problems: [{ line: 1, message: texts.theFileIsEmpty }] }
  const names = head.cells.map((cell) => cell.trim())
  for (const name of names) if (!COLUMNS.includes(name)) said(head.line, texts.noColumnIsCalled(name))
  for (const name of REQUIRED) if (!names.includes(name)) said(head.line, texts.theColumnIsMissing(name))
  if (new Set(names).size < names.length) said(head.line, texts.aColumnIsThereTwice)
  if (lines.length === 0) said(head.line, texts.thereIsNoEventBelow)
  if (problems.length > 0) return { events: [], problems }

  const groups = new Map<string, Row[]>()
  for (const { line, cells } of lines) {
    if (cells.length > names.length) {
      said(line, texts.cellsButThereAreColumns(cells.length, names.length))
      continue
    }
    const row = { ...Object.fromEntries(names.map((name, index) => [name, cells[index]?.trim() ?? ''])), line } as Row
    const slug = row.slug || slugOf(row.title ?? '')
    if (!slug) said(line, texts.aTitleOrASlug)
    else groups.set(slug, [...(groups.get(slug) ?? []), row])
  }
  const events: Planned[] = []
  for (const [slug, group] of groups) {
    const line = group[0]!.line
    try {
      events.push({ line, body: toCreate(draftFrom(slug, group)) })
    } catch (error) {
      said(error instanceof LineError ? error.line : line, (error as Error).message)
    }
  }
  return { events, problems: problems.sort((left, right) => left.line - right.line) }
}

class LineError extends Error {
  readonly line: number
  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}

function draftFrom(slug: string, rows: Row[]): EventDraft {
  const first = rows[0]!
  const told = (name: string) => first[name] ?? ''
  for (const row of rows.slice(1)) {
    const other = EVENT_COLUMNS.find((name) => row[name] && name !== 'slug' && row[name] !== first[name])
    if (other) throw new LineError(row.line, texts.isAnotherThanInLine(other, first.line))
  }
  for (const name of REQUIRED) if (!told(name)) throw new LineError(first.line, texts.isEmpty(name))
  if (!/^[a-z0-9-]{1,100}$/.test(slug)) throw new LineError(first.line, texts.aSlugHasLowercaseLetters)
  const type = oneOf(first, 'type', ['single', 'combined', 'grouped'], rows.length > 1 ? 'grouped' : 'single')
  if (type === 'single' && rows.length > 1) throw new LineError(rows[1]!.line, texts.aSingleEventHasOne)
  if (type !== 'single' && rows.length < 2) throw new LineError(first.line, texts.aEventHasTwoMarkets(type))
  return {
    ...newDraft(),
    slug,
    type,
    engine: oneOf(first, 'engine', ['CLOB', 'AMM'], 'CLOB'),
    title: told('title'),
    currencies: currenciesOf(first),
    category: told('category'),
    subcategory: told('subcategory'),
    description: told('description'),
    resolutionSource: told('resolutionSource'),
    additionalContext: told('additionalContext'),
    imageUrl: told('imageUrl'),
    hashtags: told('hashtags'),
    countries: told('countries'),
    closingDate: dateOf(first, 'closingDate'),
    resolutionDate: dateOf(first, 'resolutionDate'),
    markets: rows.map((row) => marketFrom(row, type === 'single')),
  }
}

function marketFrom(row: Row, single: boolean): MarketDraft {
  const told = (name: string) => row[name] ?? ''
  if (!single && !told('marketTitle')) throw new LineError(row.line, texts.marketTitleIsEmpty)
  return {
    ...newMarket(),
    title: told('marketTitle'),
    rules: told('rules'),
    yesLabel: told('yesLabel'),
    noLabel: told('noLabel'),
    fee: numberOf(row, 'fee'),
    minimum: { USD: numberOf(row, 'minimumUsd'), NGN: numberOf(row, 'minimumNgn') },
  }
}

/** A number of the file, as the reader would type it. */
function numberOf(row: Row, name: string): string {
  const written = row[name] ?? ''
  if (!written) return ''
  const value = parseInput(written, PLACES, undefined, SIGNS)
  if (value === null) throw new LineError(row.line, aPlainNumber(name, PLACES))
  return typedText(value)
}

function oneOf<Word extends string>(row: Row, name: string, words: readonly Word[], usual: Word): Word {
  const found = row[name] ? words.find((word) => word === row[name]) : usual
  if (!found) throw new LineError(row.line, texts.isOneOfNot(name, words.join(', '), row[name]!))
  return found
}

function currenciesOf(row: Row): Currency[] {
  // Codes, no text.
  const words = (row.currencies || 'USD NGN').split(/[\s,;]+/)
  const odd = words.find((word) => word !== 'USD' && word !== 'NGN')
  if (odd) throw new LineError(row.line, texts.isNoCurrencyUsd(odd))
  return [...new Set(words)] as Currency[]
}

/** A moment with its time zone, so that a file means the same everywhere. */
function dateOf(row: Row, name: string): string {
  const written = row[name] ?? ''
  if (!written) return ''
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2})$/.test(written) || Number.isNaN(Date.parse(written)))
    throw new LineError(row.line, texts.isAMomentSuch(name, written))
  return written
}
