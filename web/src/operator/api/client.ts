// The console's way to the operators' API: typed by its own OpenAPI document, with the same exact numbers and the same header as
// the traders' pages. That API keeps no idempotency keys, so nothing here ever sends a write a second time by itself.
import createClient from 'openapi-fetch'
import { exactFetch, PAGE_HEADER } from '../../shared/api/client'
import type { paths } from './schema'

export const admin = createClient<paths>({
  baseUrl: location.origin,
  credentials: 'same-origin',
  headers: PAGE_HEADER,
  fetch: exactFetch,
})
