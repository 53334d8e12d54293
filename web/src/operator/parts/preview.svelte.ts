// What a verdict would pay, read before it is sent.
import { Resource } from '../../shared/state/resource.svelte'
import type { PayoutPreview } from '../api/types'

export class Preview extends Resource<PayoutPreview> {
  private shownFor = ''

  /** Reads the payouts of a verdict; without a verdict there are none. The payouts of another verdict disappear first.
   *  Those of the same verdict stay until the new ones arrive. */
  show<Verdict extends object>(verdict: Verdict | null, read: (verdict: Verdict) => Promise<PayoutPreview>): void {
    const key = JSON.stringify(verdict)
    if (key !== this.shownFor) this.clear()
    this.shownFor = key
    if (verdict) void this.load(() => read(verdict))
  }
}
