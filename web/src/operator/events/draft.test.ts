import { expect, test } from 'vitest'
import { newDraft, newMarket, toCreate, toEdit } from './draft'

const draft = () => ({ ...newDraft(), title: ' Does it rain? ', slug: 'rain', category: 'weather' })

test('the market of a single event asks what the event asks, and empty fields are left out', () => {
  const created = toCreate(draft())
  expect(created.title).toBe('Does it rain?')
  expect(created.markets).toEqual([{ title: 'Does it rain?', rules: '', imageUrl: '' }])
  expect(created).not.toHaveProperty('closingDate')
})

test('several markets have titles, fees and minimums of their own', () => {
  const market = { ...newMarket(), title: 'Lions', yesLabel: 'They win', fee: '1.5', minimum: { USD: '2', NGN: '' } }
  const created = toCreate({ ...draft(), type: 'grouped', markets: [market] })
  expect(created.markets[0]).toEqual({
    title: 'Lions',
    rules: '',
    imageUrl: '',
    yesLabel: 'They win',
    feePercentage: 1.5,
    minimumOrderAmount: { USD: 2 },
  })
})

test('what cannot be read is named', () => {
  expect(() => toCreate({ ...draft(), markets: [{ ...newMarket(), fee: '1.555' }] })).toThrow('Fee')
  expect(() => toCreate({ ...draft(), currencies: [] })).toThrow('currency')
})

test('hashtags and countries are words, each once, without what people type around them', () => {
  const created = toCreate({ ...draft(), hashtags: ' #rain, lagos  #rain', countries: 'ng, gh NG' })
  expect(created.hashtags).toEqual(['rain', 'lagos'])
  expect(created.countryCodes).toEqual(['NG', 'GH'])
  expect(() => toCreate({ ...draft(), countries: 'Nigeria' })).toThrow('two letters')
})

test('a picture is an uploaded file, an address, or none', () => {
  const uploaded = `/pictures/${'0f'.repeat(32)}.jpg`
  expect(toCreate({ ...draft(), imageUrl: uploaded }).imageUrl).toBe(uploaded)
  const market = { ...newMarket(), imageUrl: uploaded }
  expect(toCreate({ ...draft(), markets: [market] }).markets[0]!.imageUrl).toBe(uploaded)
  expect(toCreate({ ...draft(), imageUrl: ' https://example.org/rain.png ' }).imageUrl).toBe('https://example.org/rain.png')
  expect(() => toCreate({ ...draft(), imageUrl: 'javascript:alert(1)' })).toThrow('https://')
  expect(() => toCreate({ ...draft(), imageUrl: 'rain.png' })).toThrow('https://')
})

test('an edit can empty the picture, the hashtags and the countries', () => {
  const edit = toEdit({ ...draft(), markets: [{ ...newMarket(), marketId: 'm1' }] })
  expect([edit.imageUrl, edit.hashtags, edit.countryCodes]).toEqual(['', [], []])
})

test('an edit names its markets and not what is fixed', () => {
  const edit = toEdit({ ...draft(), markets: [{ ...newMarket(), marketId: 'm1' }] })
  expect(edit.markets![0]!.market).toBe('m1')
  expect(edit).not.toHaveProperty('slug')
  expect(edit).not.toHaveProperty('engine')
})
