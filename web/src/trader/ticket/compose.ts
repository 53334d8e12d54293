// Turns what was filled in into an order, or says what is wrong with it. Pure: no page, no network, no float.
import type { OrderType, OutcomeSide, PlaceOrder, QuoteRequest, Side, TimeInForce } from '../../shared/api/types'
import { carrier, type Decimal, divide, floorTo, multiply, ONE, units } from '../../shared/numbers/decimal'
import { baseUnit, type Currency, grouped, money, shares } from '../../shared/numbers/format'
import { doubtAbout, parseInput, typedText, type Unit as Counted } from '../../shared/numbers/typed'
import * as texts from '../texts/ticket'

export type Unit = 'money' | 'shares'

export interface Form {
  side: Side
  outcome: OutcomeSide
  type: OrderType
  unit: Unit
  /** Money or shares, as typed. */
  size: string
  /** Hundredths of what a share pays, as typed: cents in dollars, naira in naira. */
  price: string
  timeInForce: TimeInForce
  /** Of a date-time field, in the reader's own time. */
  expiresAt: string
  postOnly: boolean
  stpMode: string
  /** Percent, as chosen; empty for none. */
  slippage: string
  clientOrderId: string
}

export interface Context {
  outcomeId: string
  currency: Currency
  engine: 'AMM' | 'CLOB'
  minimum: bigint
  now: number
  /** What can be spent and sold; null while it is not known, or for a visitor. */
  cash: bigint | null
  held: bigint | null
}

export type Problems = Partial<Record<'size' | 'price' | 'expiresAt' | 'clientOrderId', string>>

const PRICE_STEP = ONE / 100n
/** Suggested sizes of money and of shares are rounded to cents. */
const CENT = ONE / 100n

export function emptyForm(): Form {
  return {
    side: 'BUY',
    outcome: 'YES',
    type: 'MARKET',
    unit: 'money',
    size: '',
    price: '',
    timeInForce: 'GTC',
    expiresAt: '',
    postOnly: false,
    stpMode: 'SKIP',
    slippage: '10',
    clientOrderId: '',
  }
}

/** A price of 0.01 to 0.99 out of "34". */
export function limitPrice(typed: string): bigint | null {
  const hundredths = parseInput(typed, 0, 'price')
  if (hundredths === null) return null
  const price = hundredths / 100n
  return price >= PRICE_STEP && price <= ONE - PRICE_STEP ? price : null
}

/** What the size of an order counts. */
export function countedIn(form: Pick<Form, 'unit'>, context: Pick<Context, 'currency'>): Counted {
  return form.unit === 'shares' ? 'shares' : context.currency
}

/** The size of an order; null if none is typed that it can have. */
export function sizeOf(form: Pick<Form, 'unit' | 'size'>, context: Pick<Context, 'currency'>): bigint | null {
  return parseInput(form.size, form.unit === 'shares' ? 4 : 6, countedIn(form, context))
}

export function problemsOf(form: Form, context: Context): Problems {
  const problems: Problems = {}
  const size = sizeOf(form, context)
  if (form.size.trim() === '') problems.size = form.unit === 'money' ? texts.howMuch : texts.howManyShares
  else if (size === null || size === 0n)
    problems.size = doubtAbout(form.size, countedIn(form, context)) ?? texts.aNumberSuchAs(grouped(units('12.5'), 2, 2))
  else if (form.unit === 'money' && size < context.minimum)
    problems.size = texts.atLeast(money(context.minimum, context.currency))
  else if (size > 1_000_000_000n * ONE) problems.size = texts.atMost(grouped(1_000_000_000n * ONE, 0, 0))
  else if (exceedsFunds(form, context)) problems.size = fundsOf(form, context)
  if (form.type === 'LIMIT' && limitPrice(form.price) === null) problems.price = texts.aWholeNumber
  if (rests(form, context) && form.timeInForce === 'GTD') {
    const at = Date.parse(form.expiresAt)
    if (Number.isNaN(at)) problems.expiresAt = texts.whenShallItExpire
    else if (at <= context.now) problems.expiresAt = texts.thisIsOverAlready
  }
  if (form.clientOrderId && !/^[A-Za-z0-9_-]{1,64}$/.test(form.clientOrderId)) {
    problems.clientOrderId = texts.upTo64Letters
  }
  return problems
}

/** More than the cash, or more than is held. The exchange might fill only a part of it, but nobody means to order that much. */
export function exceedsFunds(form: Form, context: Context): boolean {
  const size = sizeOf(form, context)
  if (size === null) return false
  // Own orders that this one cancels give their money back, so the exchange alone knows.
  if (form.side === 'BUY' && form.stpMode !== 'SKIP') return false
  if (form.side === 'BUY') return form.unit === 'money' && context.cash !== null && size > context.cash
  return form.unit === 'shares' && context.held !== null && size > context.held
}

/** What a purchase spends at most by its own terms; null for shares at the market, whose price only a quote knows. */
export function outlayOf(form: Form, context: Pick<Context, 'currency'>): bigint | null {
  const [size, price] = [sizeOf(form, context), limitPrice(form.price)]
  if (form.side !== 'BUY' || size === null) return null
  if (form.unit === 'money') return size
  return form.type === 'LIMIT' && price !== null ? multiply(multiply(size, price), baseUnit(context.currency)) : null
}

function fundsOf(form: Form, context: Context): string {
  if (form.side === 'BUY') return texts.youHave(money(context.cash ?? 0n, context.currency))
  return context.held ? texts.youHaveToSell(shares(context.held)) : texts.youHaveNoneToSell
}

/**
 * The largest purchase that the cash is good for. A limit order on a book pays its fee on top, as far as it takes at once, so room is
 * left for that; what is bought at the market by the share has no price yet, so it becomes an amount of money.
 */
export function mostOf(
  form: Pick<Form, 'type' | 'unit' | 'price'>,
  cash: bigint,
  feePercent: Decimal,
  context: Pick<Context, 'currency' | 'engine'>,
): Pick<Form, 'unit' | 'size'> {
  const waits = form.type === 'LIMIT' && context.engine === 'CLOB'
  const spent = waits ? (cash * 100n * ONE) / (100n * ONE + units(feePercent)) : cash
  const all = floorTo(spent, CENT)
  const price = waits ? limitPrice(form.price) : null
  if (form.unit === 'money' || price === null) return { unit: 'money', size: typedText(all) }
  return { unit: 'shares', size: typedText(floorTo(divide(all, multiply(price, baseUnit(context.currency))), CENT)) }
}

/** A part of what is held, in percent, down to the ten-thousandth of a share that an order can name. */
export function partOf(held: bigint, percent: number): bigint {
  return floorTo((held * BigInt(percent)) / 100n, ONE / 10_000n)
}

function rests(form: Form, context: Context): boolean {
  return form.type === 'LIMIT' && context.engine === 'CLOB'
}

/** Everything of an order that decides what it does now, for its quote. Null if the form does not say as much yet. */
export function terms(form: Form, context: Context): QuoteRequest | null {
  const [size, price] = [sizeOf(form, context), limitPrice(form.price)]
  if (!size || size > 1_000_000_000n * ONE || (form.type === 'LIMIT' && price === null)) return null
  const order = {
    side: form.side,
    outcomeId: context.outcomeId,
    type: form.type,
    currency: context.currency,
    ...(form.unit === 'money' ? { amount: carrier(size) } : { quantity: carrier(size) }),
  }
  const own = context.engine === 'CLOB' && form.stpMode !== 'SKIP' ? { stpMode: form.stpMode } : {}
  if (form.type === 'MARKET') {
    const slippage = form.slippage ? units(form.slippage) : null
    const immediate = form.timeInForce === 'FOK' ? { timeInForce: 'FOK' as const } : {}
    return {
      ...order,
      ...own,
      ...immediate,
      ...(slippage === null ? {} : { maxSlippage: carrier(slippage / 100n) }),
    } as QuoteRequest
  }
  const limit = { ...order, price: carrier(price!) }
  if (!rests(form, context)) return limit as QuoteRequest
  return {
    ...limit,
    ...own,
    timeInForce: form.timeInForce,
    ...(form.postOnly ? { postOnly: true } : {}),
  } as QuoteRequest
}

/** The body of the order. Only for a form without problems. */
export function compose(form: Form, context: Context): PlaceOrder {
  const expires = rests(form, context) && form.timeInForce === 'GTD'
  return {
    ...terms(form, context)!,
    ...(expires ? { expiresAt: new Date(form.expiresAt).toISOString() } : {}),
    ...(form.clientOrderId ? { clientOrderId: form.clientOrderId } : {}),
  } as PlaceOrder
}
