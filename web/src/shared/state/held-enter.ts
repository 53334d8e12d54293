// A held key is one press: while it repeats, nothing is sent once more, and what the press led to is not answered.

export function ignoreHeldEnter(): void {
  addEventListener(
    'keydown',
    (event) => {
      if (event.key === 'Enter' && event.repeat && !(event.target instanceof HTMLTextAreaElement)) event.preventDefault()
    },
    { capture: true },
  )
}
