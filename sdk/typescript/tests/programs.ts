/** Runs programs and commands of documents, and reads their code blocks. */

import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import assert from 'node:assert/strict'

/** The folder of the package: the tests run in `build/tests`. */
export const PACKAGE = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')
/** The folder of the repository. */
export const ROOT = dirname(dirname(PACKAGE))

/** The tools of the checks, which are not the package's own. */
export const TOOLS = join(dirname(PACKAGE), 'node_modules')

const PATIENCE_MILLISECONDS = 300_000

/** A fenced block of a document: the words after the fence, and its text. */
export interface Block {
  readonly kind: string
  readonly text: string
}

/** Every block of a document that names a language. */
export function blocks(document: string): Block[] {
  const found = readFileSync(document, 'utf8').matchAll(/^```([a-z][a-z ]*)\n(.*?)^```$/gms)
  return [...found].map(([, kind = '', text = '']) => ({ kind, text }))
}

/** The blocks of a document in one language. */
export function programs(document: string, kind: string): string[] {
  return blocks(document)
    .filter((block) => block.kind === kind)
    .map((block) => block.text)
}

/** Runs a command to its end, and returns its output. A failure shows both outputs. */
export async function run(
  command: string,
  words: readonly string[],
  folder: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<string> {
  const child = spawn(command, words, {
    cwd: folder,
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: PATIENCE_MILLISECONDS,
  })
  let [output, errors] = ['', '']
  child.stdout.on('data', (data: Buffer) => (output += data.toString()))
  child.stderr.on('data', (data: Buffer) => (errors += data.toString()))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  assert.equal(code, 0, `${command} ${words.join(' ')} failed:\n${output}\n${errors}`)
  return output
}

/** Checks the types of programs, all at once. */
export async function checkTypes(files: readonly string[], folder: string, ...more: string[]): Promise<void> {
  const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022', ...more]
  await run(process.execPath, [join(TOOLS, 'typescript', 'bin', 'tsc'), ...options, ...files], folder)
}

/** Variables for an npm that has no network and nothing in its cache. */
export function alone(folder: string): Record<string, string> {
  return { npm_config_offline: 'true', npm_config_cache: join(folder, 'npm-cache'), npm_config_update_notifier: 'false' }
}
