// Swagger UI for the reference of the API: `npm run reference` compresses the files of the npm package into `reference`, from
// where the executable embeds them. With --check it compares the committed files with the package instead.
import { readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'

const FILES = ['swagger-ui-bundle.js', 'swagger-ui.css']
const isCheck = process.argv.includes('--check')
const at = (path) => new URL(`../${path}`, import.meta.url)

for (const file of FILES) {
  // Without the address of a source map, which is not embedded.
  const text = readFileSync(at(`node_modules/swagger-ui-dist/${file}`), 'utf8').replace(/\n\/[/*]# sourceMappingURL=.*$/m, '')
  const packed = at(`reference/${file}.gz`)
  if (!isCheck) writeFileSync(packed, gzipSync(text, { level: 9 }))
  else if (gunzipSync(readFileSync(packed)).toString() !== text) {
    throw new Error(`reference/${file}.gz is not that of the npm package: run \`npm run reference\``)
  }
}
