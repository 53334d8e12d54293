// Walks through syntax trees of components and modules.
import { parse } from 'svelte/compiler'

const SCRIPT = '<script lang="ts">'

/** Types are no part of what a page shows. */
const SKIPPED = new Set([
  ...['parent', 'metadata', 'loc', 'leadingComments', 'trailingComments'],
  ...['typeAnnotation', 'returnType', 'typeArguments', 'typeParameters'],
])

/** The nodes directly below a node. */
export function children(node) {
  return Object.entries(node)
    .filter(([key]) => !SKIPPED.has(key))
    .flatMap(([, value]) => value)
    .filter((value) => value !== null && typeof value === 'object' && typeof value.type === 'string')
}

/** The program of a TypeScript module. Positions count from `offset`. */
export function parseModule(source) {
  const { content } = parse(`${SCRIPT}${source}</script>`, { modern: true }).instance
  return Object.assign(content, { offset: SCRIPT.length })
}
