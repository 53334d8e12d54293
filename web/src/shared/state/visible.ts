// Runs something once an element comes into view, or near it.
import type { Attachment } from 'svelte/attachments'

export function whenVisible(run: () => void, margin = '200px'): Attachment {
  return (element) => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return
        observer.disconnect()
        run()
      },
      { rootMargin: margin },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }
}
