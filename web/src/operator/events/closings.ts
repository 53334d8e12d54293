// When trading closes, as a calendar: weeks of days, in the reader's own time. Pure.
import { milliseconds } from '../../shared/numbers/time'

export interface Day {
  /** 2030-01-31, in the reader's own time. */
  key: string
  number: number
  inMonth: boolean
}

const two = (number: number) => String(number).padStart(2, '0')
const keyOf = (date: Date) => `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`

/** The day of a moment; nothing for a date that is not set. */
export function dayOf(date: string | undefined): string | undefined {
  const at = milliseconds(date)
  return at === null ? undefined : keyOf(new Date(at))
}

export const monthOf = (at: number) => keyOf(new Date(at)).slice(0, 7)

/** 2030-01, some months later or earlier. */
export function moved(month: string, by: number): string {
  const [year, number] = month.split('-').map(Number) as [number, number]
  return monthOf(new Date(year, number - 1 + by, 1).getTime())
}

/** The weeks of a month, from Monday, with the days around it that fill them. */
export function weeksOf(month: string): Day[][] {
  const [year, number] = month.split('-').map(Number) as [number, number]
  const before = (new Date(year, number - 1, 1).getDay() + 6) % 7
  const length = new Date(year, number, 0).getDate()
  const weeks = Math.ceil((before + length) / 7)
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: 7 }, (_, day) => {
      const date = new Date(year, number - 1, 1 - before + week * 7 + day)
      return { key: keyOf(date), number: date.getDate(), inMonth: date.getMonth() === number - 1 }
    }),
  )
}

/** Rows by the day on which they close, the earliest of a day first. */
export function byDay<Row extends { closingDate: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const days = new Map<string, Row[]>()
  for (const row of [...rows].sort((left, right) => left.closingDate.localeCompare(right.closingDate))) {
    const day = dayOf(row.closingDate)
    if (day) days.set(day, [...(days.get(day) ?? []), row])
  }
  return days
}
