/**
 * The shapes against the exchange's own OpenAPI document: a shape has no field that the document does not have, and
 * requires none that an answer may omit.
 */

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { requests } from 'bellwether-exchange'
import * as account from '#internal/models/account'
import * as data from '#internal/models/data'
import * as market from '#internal/models/market'
import * as order from '#internal/models/order'
import type { Field } from '#internal/models/shape'

import { exchange } from './shared.js'

interface Schema {
  readonly type?: string
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly allOf?: readonly Schema[]
}

type AnyShape = Readonly<Record<string, Field<unknown>>>

const SCHEMAS: Readonly<Record<string, readonly string[]>> = {
  activityShape: ['Activity'],
  announcedTermsShape: ['AnnouncedTerms'],
  authCheckShape: ['AuthCheck'],
  batchCancelItemShape: ['BatchCancelResult'],
  batchCancelShape: ['BatchCancelResponse'],
  bookShape: ['Book'],
  candleShape: ['Candle'],
  eventShape: ['Event'],
  issuedKeyShape: ['IssuedApiKey'],
  itemErrorShape: ['ItemError'],
  leanEventShape: ['LeanEvent'],
  levelShape: ['BookLevel'],
  marketShape: ['Market'],
  marketTermsShape: ['MarketTerms'],
  mintedShape: ['MintResult', 'BurnResult'],
  movementShape: ['Movement'],
  orderShape: ['ClobOrder', 'AmmOrder'],
  pnlShape: ['Pnl'],
  positionEventShape: ['PortfolioEvent'],
  positionMarketShape: ['PortfolioMarket'],
  positionShape: ['OutcomeBalance'],
  quotedOrderShape: ['QuotedOrder'],
  quotedRefusalShape: ['QuotedRefusal'],
  quoteShape: ['Quote'],
  seriesPointShape: ['SeriesPoint'],
  seriesShape: ['Series'],
  summaryShape: ['Summary'],
  tickerShape: ['Ticker'],
  tradeShape: ['Trade'],
  versionShape: ['Version'],
  walletShape: ['WalletAsset'],
}

const modules = { ...account, ...data, ...market, ...order }
const shapes = Object.entries(modules).filter((pair): pair is [string, never] => pair[0].endsWith('Shape'))
const response = await fetch(`${exchange.baseUrl}/openapi.json`)
const document = (await response.json()) as { components: { schemas: Readonly<Record<string, Schema>> } }
const schemas = document.components.schemas

function schemaOf(name: string): Schema {
  const schema = schemas[name]
  assert(schema, `the document has no ${name}`)
  return schema
}

test('every shape is compared', () => {
  assert.deepEqual(shapes.map(([name]) => name).sort(), Object.keys(SCHEMAS).sort())
})

test('a shape has only fields of its schema, and requires none that may be absent', () => {
  for (const [shapeName, shape] of shapes) {
    for (const name of SCHEMAS[shapeName] ?? []) {
      const { properties = {}, required = [] } = schemaOf(name)
      for (const [fieldName, field] of Object.entries(shape as AnyShape)) {
        const where = `${shapeName}.${fieldName} of ${name}`
        if (!field.isOptional) assert(required.includes(fieldName), `${where} may be absent`)
        else if (SCHEMAS[shapeName]?.length === 1) assert(fieldName in properties, `${where} does not exist`)
      }
    }
  }
})

test('every fraction is a Decimal, and every whole number a count', () => {
  for (const [shapeName, shape] of shapes) {
    for (const name of SCHEMAS[shapeName] ?? []) {
      for (const [fieldName, field] of Object.entries(shape as AnyShape)) {
        const schema = schemaOf(name).properties?.[fieldName] ?? {}
        const reference = schema.$ref?.split('/').at(-1)
        const { type } = reference === undefined ? schema : schemaOf(reference)
        const where = `${shapeName}.${fieldName} of ${name}`
        if (type === 'number' || reference === 'DecimalString') assert.equal(field.kind, 'decimal', where)
        if (type === 'integer') assert.equal(field.kind, 'count', where)
        if (type === 'boolean') assert.equal(field.kind, 'flag', where)
      }
    }
  }
})

test('an order has only fields that the exchange reads', () => {
  const fields = requests.orderFields({ outcomeId: 'outcome', side: 'BUY', amount: 1 })
  const schema = schemaOf('PlaceOrder').allOf?.[0]?.properties ?? {}
  assert.deepEqual(Object.keys(fields).sort(), Object.keys(schema).sort())
})
