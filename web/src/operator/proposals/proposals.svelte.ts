// What waits to be finalised or withdrawn, for the pages that show it.
import { answer } from '../../shared/api/client'
import { Resource } from '../../shared/state/resource.svelte'
import { admin } from '../api/client'
import type { ProposalState } from '../api/types'

export class Proposals extends Resource<ProposalState[]> {
  refresh = (): void => {
    void this.load(async () => (await answer(admin.GET('/admin/v1/proposals'))).proposals)
  }
}
