// Puts constant texts into the components while they are built: `{texts.cash}` becomes `Cash`. Svelte then writes the words into
// its templates, as if they had been typed there: a text in a file of its own costs neither bytes nor an effect.
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parse } from 'svelte/compiler'
import { children, parseModule } from './tree.mjs'

const IMPORT = /import \* as texts from '(\.{1,2}\/(?:[\w.-]+\/)*texts\/[\w-]+)'/

/** A preprocessor of Svelte. */
export function inlineTexts() {
  return {
    name: 'texts',
    markup({ content, filename }) {
      const found = IMPORT.exec(content)
      if (!found) return
      const file = resolve(dirname(filename), `${found[1]}.ts`)
      return { code: inline(content, constantsOf(readFileSync(file, 'utf8'))), dependencies: [file] }
    },
  }
}

/** The exported constants of a file of texts that are plain strings, by name. */
export function constantsOf(source) {
  const constants = new Map()
  for (const statement of parseModule(source).body) {
    for (const { id, init } of statement.declaration?.declarations ?? []) {
      if (init?.type === 'Literal' && typeof init.value === 'string') constants.set(id.name, init.value)
    }
  }
  return constants
}

/** `source` with each `texts.name` replaced by the words of that constant. */
export function inline(source, constants) {
  const tree = parse(source, { modern: true })
  const replacements = []
  const replace = (node, written) => replacements.push({ start: node.start, end: node.end, written })
  const textOf = (node) =>
    node?.type === 'MemberExpression' && !node.computed && node.object.name === 'texts'
      ? constants.get(node.property.name)
      : undefined

  const visit = (node, parent) => {
    const tagged = node.type === 'ExpressionTag' ? textOf(node.expression) : undefined
    if (tagged !== undefined && parent?.type === 'Fragment' && tagged === tagged.trim())
      return replace(node, escaped(tagged))
    if (tagged !== undefined && parent?.type === 'Attribute') {
      return replace(node, Array.isArray(parent.value) ? escaped(tagged) : `"${escaped(tagged)}"`)
    }
    const text = textOf(node)
    if (text !== undefined) return replace(node, JSON.stringify(text))
    for (const child of children(node)) visit(child, node)
  }
  for (const part of [tree.fragment, tree.instance?.content, tree.module?.content]) if (part) visit(part, null)

  let written = ''
  let at = 0
  for (const { start, end, written: words } of replacements.sort((a, b) => a.start - b.start)) {
    written += source.slice(at, start) + words
    at = end
  }
  return written + source.slice(at)
}

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '{': '&#123;', '}': '&#125;' }

function escaped(text) {
  return text.replace(/[&<>"{}]/g, (sign) => ENTITIES[sign])
}
