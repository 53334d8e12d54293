// The texts of an event's news.

export const texts = { news: 'News' } as const
