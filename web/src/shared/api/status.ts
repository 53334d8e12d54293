// A status of the API in words.
import { statuses } from '../texts/common'

/** partly_filled → partly filled. A status that has no words yet is shown as it is. */
export const statusWords = (status: string): string => statuses[status] ?? status.replaceAll('_', ' ')
