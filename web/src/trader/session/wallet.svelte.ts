// What the reader can spend, in both currencies. Read anew after everything that moves money.
import { answer, api } from '../../shared/api/client'
import type { WalletAsset } from '../../shared/api/types'
import type { Currency } from '../../shared/numbers/format'
import { units } from '../../shared/numbers/decimal'
import { Resource } from '../../shared/state/resource.svelte'
import { throttle } from '../../shared/state/throttle'
import { session } from './session.svelte'

class Wallet extends Resource<WalletAsset[]> {
  readonly refresh = throttle(() => {
    if (session.active) void this.load(async () => (await answer(api.GET('/v1/wallet/assets'))).assets)
  }, 500)

  available(currency: Currency): bigint | null {
    const asset = this.value?.find((one) => one.symbol === currency)
    return asset ? units(asset.availableBalance) : null
  }
}

export const wallet = new Wallet()
