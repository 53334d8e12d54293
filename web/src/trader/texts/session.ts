// Texts of the session. README.md, "Texts", says how to add one.

// session
export const you = 'You'
