// Short messages about what was just done. Failures stay until they are dismissed, the rest goes by itself.

export type Tone = 'good' | 'bad' | 'plain'

export interface Toast {
  id: number
  tone: Tone
  title: string
  detail: string
}

const SHOWN_MILLISECONDS = 6000
const SHOWN_MAX = 4
let next = 1
let list = $state<Toast[]>([])

export const toasts = {
  get list() {
    return list
  },
  show(tone: Tone, title: string, detail = '') {
    const toast = { id: next++, tone, title, detail }
    list = [...list.slice(1 - SHOWN_MAX), toast]
    if (tone !== 'bad') setTimeout(() => this.dismiss(toast.id), SHOWN_MILLISECONDS)
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
