// Refuses words in the pages' source that are not in a file of texts: `npm run check` runs it.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findInComponent, findInModule } from './find.mjs'

const SOURCE = fileURLToPath(new URL('../../src', import.meta.url))
const isChecked = (path) =>
  /\.(svelte|ts)$/.test(path) && !/\.(test|d)\.ts$/.test(path) && !path.split(/[\\/]/).includes('texts')

const files = readdirSync(SOURCE, { recursive: true }).filter(isChecked).sort()
let refused = 0
for (const path of files) {
  const source = readFileSync(join(SOURCE, path), 'utf8')
  for (const { line, kind, text } of path.endsWith('.svelte') ? findInComponent(source) : findInModule(source)) {
    console.error(`src/${path}:${line}: “${text}” (${kind}) belongs into a file of texts; see README.md, "Texts"`)
    refused += 1
  }
}
console.log(`texts: ${files.length} files, ${refused} words outside the texts`)
process.exit(refused > 0 ? 1 : 0)
