/** The package as a user gets it: from the folder, and as a tarball. */

import assert from 'node:assert/strict'
import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

import { VERSION } from 'bellwether-exchange'

import { temporaryFolder } from './exchange.js'
import { alone, checkTypes, PACKAGE, run } from './programs.js'
import { BOOK, exchange } from './shared.js'

const PROGRAM = `
import { Client, Decimal } from 'bellwether-exchange'

const client = Client.fromEnv()
const { market } = await client.event('${BOOK}')
const order = await market.yes.buy({ quantity: 50, price: new Decimal('0.03') })
console.log((await order.cancel()).status)
`

const NPM = ['--no-audit', '--no-fund', '--loglevel', 'error']
const manifest = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as {
  name: string
  version: string
  dependencies?: object
  devDependencies?: object
}

/** A project that has installed the package, and one program. */
async function project(source: string): Promise<string> {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  await run('npm', ['install', ...NPM, source], folder, alone(folder))
  writeFileSync(join(folder, 'program.mjs'), PROGRAM)
  return folder
}

async function trades(folder: string): Promise<void> {
  const output = await run(process.execPath, ['program.mjs'], folder, { DEMO: exchange.demoFile })
  assert.equal(output.trim(), 'cancelled')
}

test('npm installs the folder, and a program trades', async () => {
  const folder = await project(PACKAGE)
  assert.deepEqual(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.')), [manifest.name])
  await trades(folder)
})

test('npm packs a tarball with the build alone, and a program trades', async () => {
  const packed = join(temporaryFolder(), 'packed')
  mkdirSync(packed)
  await run('npm', ['pack', ...NPM, '--pack-destination', packed], PACKAGE, alone(temporaryFolder()))
  const [tarball, ...others] = readdirSync(packed)
  assert.equal(tarball, `${manifest.name}-${manifest.version}.tgz`)
  assert.deepEqual(others, [])
  const folder = await project(join(packed, tarball))
  const installed = join(folder, 'node_modules', manifest.name)
  assert(!lstatSync(installed).isSymbolicLink())
  assert.deepEqual(readdirSync(installed).sort(), ['README.md', 'REFERENCE.md', 'dist', 'package.json'])
  await trades(folder)
  // Without the types of Node, as in a page, and with a check of the package's own types.
  writeFileSync(join(folder, 'typed.ts'), PROGRAM)
  await checkTypes(['typed.ts'], folder, '--lib', 'es2022,dom', '--exactOptionalPropertyTypes')
})

test('the package depends on no other and has one version', () => {
  assert.deepEqual([manifest.dependencies, manifest.devDependencies], [undefined, undefined])
  assert.equal(manifest.version, VERSION)
})
