import { expect, test } from 'vitest'
import { csvOf, parseCsv } from './csv'

const written = (...cells: (string | number)[]) => csvOf(['a'], [cells]).split('\r\n')[1]

test('a cell that begins like a formula is text', () => {
  for (const formula of ['=1+1', '+1+1', '-1+1', '@SUM(A1)', ' =1', '\t=1'])
    expect(written(formula)!.replace(/^"/, '')[0], formula).toBe("'")
  expect(written('=HYPERLINK("x")')).toBe('"\'=HYPERLINK(""x"")"')
})

test('a number stays a number, exactly as it was served', () => {
  expect(written(-1.5, '-0.000001', '12345678901.123456', 0.1)).toBe('-1.5,-0.000001,12345678901.123456,0.1')
})

test('commas, quotes and lines are kept in quotes', () => {
  expect(written('a,b', 'say "x"', 'two\nlines')).toBe('"a,b","say ""x""","two\nlines"')
})

test('what was written is read again, with the lines', () => {
  const rows = [
    ['Rain, or not?', 'say "x"'],
    ['two\nlines', ''],
    ['last', '1.5'],
  ]
  expect(parseCsv(csvOf(['title', 'more'], rows))).toEqual([
    { line: 1, cells: ['title', 'more'] },
    { line: 2, cells: rows[0] },
    { line: 3, cells: rows[1] },
    { line: 5, cells: rows[2] },
  ])
})

test('blank lines are left out, and a file may end without one', () => {
  expect(parseCsv('a,b\n\n1,2')).toEqual([
    { line: 1, cells: ['a', 'b'] },
    { line: 3, cells: ['1', '2'] },
  ])
  expect(parseCsv('')).toEqual([])
})

test('an open quote is an error with its line', () => {
  expect(() => parseCsv('a\n"b\nc')).toThrow('line 2')
})
