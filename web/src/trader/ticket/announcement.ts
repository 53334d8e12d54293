// The terms that are announced for a market, in words: the fee, the smallest order, or both.
import type { AnnouncedTerms, Currency, Market } from '../../shared/api/types'
import { units } from '../../shared/numbers/decimal'
import { money, percent } from '../../shared/numbers/format'
import { shortMoment } from '../../shared/numbers/time'
import * as texts from '../texts/ticket'

type Terms = Pick<Market, 'feePercentage' | 'minimumOrderAmount'>

/** What of the announced terms is other than it is now; nothing if only another currency's changes. */
export function announcement(now: Terms, announced: AnnouncedTerms | undefined, currency: Currency): string | undefined {
  if (!announced) return undefined
  const date = shortMoment(announced.from)
  const fee = percent(announced.feePercentage, { places: 2 })
  const minimum = money(announced.minimumOrderAmount, currency)
  const hasFee = units(announced.feePercentage) !== units(now.feePercentage)
  const hasMinimum = units(announced.minimumOrderAmount) !== units(now.minimumOrderAmount)
  if (hasFee && hasMinimum) return texts.announcedBoth(date, fee, minimum)
  if (hasFee) return texts.announcedFee(date, fee)
  return hasMinimum ? texts.announcedMinimum(date, minimum) : undefined
}
