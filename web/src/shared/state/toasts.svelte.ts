// Short messages about what was just done. Failures, and messages with a link, stay until they are dismissed; the rest goes by
// itself.

export type Tone = 'good' | 'bad' | 'plain'

export interface Link {
  address: string
  label: string
}

export interface Toast {
  id: number
  tone: Tone
  title: string
  detail: string
  link: Link | undefined
}

const SHOWN_MILLISECONDS = 6000
const SHOWN_MAX = 4
let next = 1
let list = $state<Toast[]>([])

export const toasts = {
  get list() {
    return list
  },
  show(tone: Tone, title: string, detail = '', link?: Link) {
    const toast = { id: next++, tone, title, detail, link }
    list = [...list.slice(1 - SHOWN_MAX), toast]
    if (tone !== 'bad' && !link) setTimeout(() => this.dismiss(toast.id), SHOWN_MILLISECONDS)
  },
  good(title: string, detail = '') {
    this.show('good', title, detail)
  },
  bad(title: string, detail = '') {
    this.show('bad', title, detail)
  },
  dismiss(id: number) {
    list = list.filter((toast) => toast.id !== id)
  },
}
