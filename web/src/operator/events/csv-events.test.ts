import { expect, test, vi } from 'vitest'
import { planOf } from './csv-events'

const plan = (...lines: string[]) => planOf(lines.join('\n'))

test('a row is an event with one market', () => {
  const { events, problems } = plan('title,category,rules,closingDate,fee', 'Does it rain?,weather,YES if wet.,2035-01-31T18:00:00Z,1.5')
  expect(problems).toEqual([])
  expect(events).toMatchObject([
    {
      line: 2,
      body: {
        ...{ slug: 'does-it-rain', type: 'single', engine: 'CLOB', currencies: ['USD', 'NGN'] },
        closingDate: '2035-01-31T18:00:00.000Z',
        markets: [{ title: 'Does it rain?', rules: 'YES if wet.', feePercentage: 1.5 }],
      },
    },
  ])
})

test('rows of one slug are the markets of one event', () => {
  const { events, problems } = plan(
    'slug,title,category,type,marketTitle',
    'cup,Who wins the cup?,sports,combined,Reds',
    'cup,Who wins the cup?,sports,combined,Blues',
  )
  expect(problems).toEqual([])
  expect(events[0]!.body.markets.map((market) => market.title)).toEqual(['Reds', 'Blues'])
})

test('every wrong line is named, and no event of it is planned', () => {
  const { events, problems } = plan(
    'title,slug,category,type,engine,closingDate,marketTitle',
    'Good?,good,weather,,,,',
    ',,weather,,,,',
    'No category?,none,,,,,',
    'Odd?,odd,weather,double,,,',
    'Late?,late,weather,,,tomorrow,',
    'Pool?,pool,weather,,DEX,,',
    'Alone?,alone,weather,grouped,,,One',
    'Comma?,comma,weather,,,,,,,',
  )
  expect(events.map((event) => event.body.slug)).toEqual(['good'])
  expect(problems.map((problem) => problem.line)).toEqual([3, 4, 5, 6, 7, 8, 9])
})

test.each(['en-US', 'de-DE'])('numbers have a point before their decimals, also where the reader has a comma: %s', async (language) => {
  vi.stubGlobal('navigator', { language })
  vi.resetModules()
  const { planOf } = await import('./csv-events')
  const { events, problems } = planOf(['title,category,fee,minimumUsd', 'Rain?,weather,"1,5",2', 'Snow?,weather,1,"1,000"', 'Hail?,weather,1.25,2.50'].join('\n'))
  vi.unstubAllGlobals()
  expect(problems.map((problem) => [problem.line, problem.message.split(':')[0]])).toEqual([[2, 'fee'], [3, 'minimumUsd']])
  expect(events[0]!.body.markets[0]).toMatchObject({ feePercentage: 1.25, minimumOrderAmount: { USD: 2.5 } })
})

test('a second row may not say another thing of its event', () => {
  const { problems } = plan(
    'slug,title,category,type,marketTitle',
    'cup,Who wins?,sports,grouped,Reds',
    'cup,Who loses?,sports,grouped,Blues',
  )
  expect(problems).toEqual([{ line: 3, message: '“title” is another than in line 2, which has the same slug.' }])
})

test('the columns are checked before the rows', () => {
  expect(plan('title,colour').problems.map((problem) => problem.message)).toEqual([
    'No column is called “colour”.',
    'The column “category” is missing.',
    'There is no event below the names of the columns.',
  ])
  expect(plan('').problems.length).toBe(1)
})
