// The texts of an event's news on the console.

export const texts = {
  title: 'News',
  add: 'Add news…',
  explained: 'A note with a link appears on the page of the event and as a mark in its chart.',
  none: 'No news is attached to this event.',
  what: 'The news',
  dialog: 'Add news',
  action: 'Attach it',
  titleLabel: 'Title',
  titleHint: 'Up to 100 characters',
  link: 'Link',
  linkHint: 'Begins with https://',
  publishedAt: 'Came out',
  publishedHint: 'Your time; leave it empty for now',
  added: 'The news is attached',
  remove: 'Remove',
  removeTitle: 'Remove this note?',
  removeExplained: 'It disappears from the page and the chart. The audit log keeps it.',
  removed: 'The news is removed',
} as const
