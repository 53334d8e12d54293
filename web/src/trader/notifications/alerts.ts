// Price alerts of the reader.
import { answer, api } from '../../shared/api/client'
import type { OutcomeSide, PriceAlert } from '../../shared/api/types'
import { carrier } from '../../shared/numbers/decimal'
import type { Currency } from '../../shared/numbers/format'

export async function readAlerts(): Promise<PriceAlert[]> {
  return (await answer(api.GET('/v1/pm/price-alerts'))).alerts
}

/** `price` in units: whole cents of a share. */
export async function createAlert(
  marketId: string,
  outcome: OutcomeSide,
  price: bigint,
  currency: Currency,
): Promise<PriceAlert> {
  const body = { marketId, outcome, price: carrier(price), currency }
  return answer(api.POST('/v1/pm/price-alerts', { body }))
}

export async function removeAlert(alertId: string): Promise<void> {
  await answer(api.DELETE('/v1/pm/price-alerts/{alertId}', { params: { path: { alertId } } }))
}
