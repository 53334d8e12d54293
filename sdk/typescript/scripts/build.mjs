// Builds src into dist, which is committed: `npm install ./sdk/typescript` needs no compiler.
//
//   node scripts/build.mjs           writes dist
//   node scripts/build.mjs --check   fails if a file there is not what the source gives
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const isCheck = process.argv.includes('--check')
const dist = join(root, 'dist')
const fresh = isCheck ? join(root, 'build', 'dist') : dist

rmSync(fresh, { recursive: true, force: true })
const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))
const built = spawnSync(process.execPath, [compiler, '-p', root, '--outDir', fresh], { stdio: 'inherit' })
if (built.status !== 0) process.exit(built.status ?? 1)

if (isCheck) {
  const [committed, made] = [contents(dist), contents(fresh)]
  const names = [...new Set([...committed.keys(), ...made.keys()])].sort()
  const differing = names.filter((name) => committed.get(name) !== made.get(name))
  if (differing.length > 0) {
    console.error(`run \`npm run build\` in sdk/typescript: ${differing.join(', ')} would change`)
    process.exit(1)
  }
}

/** The text of every file of a folder, by its path. */
function contents(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = files.map((file) => join(file.parentPath, file.name))
  return new Map(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]))
}
