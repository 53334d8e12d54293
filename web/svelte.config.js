// Runes everywhere: no component may fall back to the reactivity of older versions.
import { vitePreprocess } from '@sveltejs/vite-plugin-svelte'
import { inlineTexts } from './scripts/texts/inline.mjs'

export default { preprocess: [inlineTexts(), vitePreprocess()], compilerOptions: { runes: true } }
