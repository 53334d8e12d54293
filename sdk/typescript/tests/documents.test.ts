/** Documents and examples are run as they are written. */

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { closeSync, cpSync, existsSync, mkdirSync, openSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join, relative } from 'node:path'
import { test } from 'node:test'

import { executable, temporaryFolder } from './exchange.js'
import { alone, blocks, checkTypes, PACKAGE, programs, ROOT, run, TOOLS } from './programs.js'
import { exchange } from './shared.js'
import { until } from './until.js'

const README = join(PACKAGE, 'README.md')
const PAGE = join(ROOT, 'docs', 'bots', 'typescript.md')
const SECONDS = '2'

/** A folder in which programs find the package. */
function workplace(): string {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(PACKAGE, join(folder, 'node_modules', 'bellwether-exchange'))
  mkdirSync(join(folder, 'node_modules', '@types'))
  symlinkSync(join(TOOLS, '@types', 'node'), join(folder, 'node_modules', '@types', 'node'))
  return folder
}

test('each example runs', async () => {
  const examples = readdirSync(join(PACKAGE, 'build', 'examples'))
  assert.equal(examples.length, readdirSync(join(PACKAGE, 'examples')).length)
  for (const example of examples) {
    const path = join(PACKAGE, 'build', 'examples', example)
    const output = await run(process.execPath, [path], temporaryFolder(), { DEMO: exchange.demoFile })
    assert(output.trim(), example)
  }
})

test('each program of the README runs, except those for a page', async () => {
  const found = programs(README, 'ts')
  assert.equal(found.length, 3)
  const folder = workplace()
  for (const text of found) {
    writeFileSync(join(folder, 'program.mjs'), text)
    const output = await run(process.execPath, ['program.mjs', SECONDS], folder, { DEMO: exchange.demoFile })
    assert(output.trim(), text)
  }
})

test("the README's bot has 30 lines", () => {
  const bot = programs(README, 'ts')[0] ?? ''
  assert(bot.split('\n').filter((line) => line.trim()).length <= 30)
})

test('every program of the README and of the ten minutes page has right types', async () => {
  const folder = workplace()
  const texts = [...programs(README, 'ts'), ...programs(PAGE, 'js')]
  assert(texts.length >= 7)
  const names = texts.map((text, index) => {
    const name = `program${index}.mts`
    writeFileSync(join(folder, name), text)
    return name
  })
  await checkTypes(names, folder, '--skipLibCheck')
})

test('the ten minutes page works word for word', async () => {
  const folder = temporaryFolder()
  // A copy without what the tests put there, as in a fresh clone.
  const isSource = (path: string) => relative(PACKAGE, path) !== 'build'
  cpSync(PACKAGE, join(folder, 'sdk', 'typescript'), { recursive: true, filter: isSource })
  const tools = join(folder, 'tools')
  mkdirSync(tools)
  symlinkSync(executable(), join(tools, 'bellwether'))
  symlinkSync(process.execPath, join(tools, 'node'))
  const variables = {
    PATH: `${tools}${delimiter}${process.env['PATH'] ?? ''}`,
    // The page's port may be taken on this machine.
    BELLWETHER_LISTEN: '127.0.0.1:0',
    BELLWETHER_ADMIN_LISTEN: '127.0.0.1:0',
    BELLWETHER_LOW_DISK_MIB: '0',
    ...alone(folder),
  }
  const stops: (() => Promise<void>)[] = []
  let output = ''
  try {
    for (const { kind, text } of blocks(PAGE)) {
      if (kind === 'sh background') stops.push(await background(text, folder, variables))
      else if (kind === 'sh') output += await run('sh', ['-e', '-c', text], folder, variables)
      else {
        const name = /^\/\/ ([a-z]+\.mjs)\n/.exec(text)?.[1]
        assert(name, `a program's first line is its name, not ${text.split('\n')[0]}`)
        writeFileSync(join(folder, name), text)
      }
    }
  } finally {
    for (const stop of stops) await stop()
  }
  for (const expected of ['Rain in Lagos costs', 'rests: true', 'quotes at', 'cancelled BUY', 'realised:']) {
    assert(output.includes(expected), output)
  }
})

/** Starts the demo and waits for its record. Returns the way to stop it. */
async function background(text: string, folder: string, variables: Record<string, string>) {
  const log = openSync(join(folder, 'demo.log'), 'a')
  const env = { ...process.env, ...variables }
  const child = spawn('sh', ['-c', `exec ${text}`], { cwd: folder, env, stdio: ['ignore', log, log] })
  closeSync(log)
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  await until('the start of the demo', 120, () => {
    assert.equal(child.exitCode, null, 'the demo ended')
    return existsSync(join(folder, 'data', 'demo.json'))
  })
  return async () => {
    child.kill('SIGTERM')
    assert.equal(await ended, 0)
    process.removeListener('exit', kill)
  }
}
