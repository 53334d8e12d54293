// Texts of trader/texts/session.

// session
export const you = 'You'
