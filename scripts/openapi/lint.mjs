// Lints the OpenAPI documents of a running exchange with Spectral and with Redocly's linter: `npm start -- http://127.0.0.1:8080`.
// Every finding fails, warnings too. The document as YAML must be that as JSON.
import assert from 'node:assert/strict'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectralCore from '@stoplight/spectral-core'
import spectralParsers from '@stoplight/spectral-parsers'
import spectralRulesets from '@stoplight/spectral-rulesets'
import { load } from 'js-yaml'

const { Document, Spectral } = spectralCore
const PATHS = ['/openapi.json', '/openapi.json?numbers=string']
/** A static segment comes before a parameter, such as `batch` before `{orderId}`: the specification's paths are like that. */
const RULES = { 'no-ambiguous-paths': 'off' }

const base = process.argv[2]
assert.ok(base, 'the address of an exchange is needed')

async function read(path) {
  const response = await fetch(base + path)
  assert.equal(response.status, 200, path)
  return response.text()
}

async function bySpectral(text) {
  const spectral = new Spectral()
  spectral.setRuleset({ extends: [[spectralRulesets.oas, 'recommended']] })
  const found = await spectral.run(new Document(text, spectralParsers.Json, 'openapi.json'))
  return found.map(({ code, message, path }) => `Spectral: ${code} at ${path.join('.')}: ${message}`)
}

async function byRedocly(text) {
  const config = await createConfig({ extends: ['recommended'], rules: RULES })
  const found = await lintFromString({ source: text, absoluteRef: 'openapi.json', config })
  return found.map(({ ruleId, message, location }) => `Redocly: ${ruleId} at ${location[0]?.pointer}: ${message}`)
}

// All are read first: a linter takes longer than an idle connection lives.
const documents = []
for (const path of PATHS) {
  documents.push({ path, text: await read(path), yaml: await read(path.replace('.json', '.yaml')) })
}
for (const { path, text, yaml } of documents) {
  const found = [...(await bySpectral(text)), ...(await byRedocly(text))]
  assert.equal(found.length, 0, `${path}: ${found.length} findings\n${found.slice(0, 40).join('\n')}`)
  assert.deepEqual(load(yaml), JSON.parse(text), `${path} as YAML`)
  console.log(`    ${path}: Spectral and Redocly find nothing; the YAML is the same`)
}
