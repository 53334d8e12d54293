// Texts of the search. README.md, "Texts", says how to add one.
import type { Value } from '../../shared/texts/language'

// Search
export const search = 'Search'
export const searchQuestions = 'Search questions'
export const suggestions = 'Suggestions'
export const suggestionsCouldNotBeLoaded = 'Suggestions could not be loaded'

// suggest
export const allQuestionsWith = (typed: Value) => `All questions with “${typed}”`
