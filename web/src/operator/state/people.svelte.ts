// Who runs the venue: read by the page of the operators, and by proposals, which have to know who is one person with whom.
import { answer } from '../../shared/api/client'
import { Resource } from '../../shared/state/resource.svelte'
import { admin } from '../api/client'
import type { OperatorState } from '../api/types'

class People extends Resource<OperatorState[]> {
  refresh = (): void => {
    void this.load(async () => (await answer(admin.GET('/admin/v1/operators'))).operators)
  }
}

export const people = new People()
