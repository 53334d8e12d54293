// Sends a step of an event's lifecycle.
import { answer } from '../../shared/api/client'
import { admin } from '../api/client'
import type { Step } from './actions'

export async function stepEvent(event: string, step: Step): Promise<unknown> {
  const params = { path: { event } }
  if (step === 'open') return answer(admin.POST('/admin/v1/events/{event}/open', { params }))
  if (step === 'pause') return answer(admin.POST('/admin/v1/events/{event}/pause', { params }))
  if (step === 'resume') return answer(admin.POST('/admin/v1/events/{event}/resume', { params }))
  return answer(admin.POST('/admin/v1/events/{event}/close', { params }))
}
