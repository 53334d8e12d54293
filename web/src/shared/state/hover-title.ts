// A title that is made when the pointer arrives: a format of dates takes long to make, and most titles are never looked at.
import type { Attachment } from 'svelte/attachments'

export function titleOnHover(make: () => string | undefined): Attachment<HTMLElement> {
  return (element) => {
    const show = () => (element.title = make() ?? '')
    element.addEventListener('pointerenter', show)
    return () => element.removeEventListener('pointerenter', show)
  }
}
