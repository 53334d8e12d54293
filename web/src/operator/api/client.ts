// The console's way to the operators' API: typed by its own OpenAPI document, with the same exact numbers and the same headers as
// the traders' pages. That API keeps no idempotency keys, so nothing here ever sends a write a second time by itself.
import { pageHeaders, patientFetch } from '../../shared/api/client'
import { createClient } from '../../shared/api/typed-client'
import type { paths } from './schema'

export const admin = createClient<paths>(pageHeaders, patientFetch)
