// Finds words that a person would read and that are not in a texts file. A word in the markup is found by its place in the
// syntax tree, a word in a script by its looks.
import { parse } from 'svelte/compiler'
import { children, parseModule } from './tree.mjs'

/** Attributes whose value is read, on an element and on a component. */
const READ_ATTRIBUTES = new Set([
  ...['aria-label', 'aria-description', 'aria-valuetext', 'title', 'placeholder', 'alt'],
  // A style sheet shows it before a cell of a table.
  'data-label',
])

/** Properties of objects whose value is read. */
const READ_FIELDS = new Set([
  'label',
  'title',
  'detail',
  'hint',
  'intro',
  'what',
  'action',
  'warning',
  'note',
  'message',
])

/** Properties of our components whose value is read. */
const READ_PROPERTIES = new Set([...READ_FIELDS, 'none', 'noneDetail', 'search', 'over', 'why', 'more'])

const LETTER = /\p{L}/u
const TWO_WORDS = /\p{L}[\p{L}\d’',:;.!?)…-]*\s+[(“"–—·]*\p{L}/u
/** A word beside a number, "every 5" or "30 minutes". The letters of a picture's path touch its numbers. */
const WITH_NUMBER = /(?<![\p{L}\d])\p{L}{2,}[’',.!?)…]*\s+[(“"–—·]*\d|\d[,:;.!?)…]*\s+[(“"–—·]*\p{L}{2,}/u
const CAPITALISED = /^\s*\p{Lu}\p{Ll}|^\s*I\b/u
/** Two words, or a word that begins with a capital letter: "primary" and "arrow-left" are names of the program. */
const LIKE_TEXT = new RegExp([TWO_WORDS, WITH_NUMBER, CAPITALISED].map(({ source }) => source).join('|'), 'u')
/** A separator that has a word, such as " and ". */
const LIKE_LINK = /\p{L}\s|\s\p{L}/u

/** A part of a template that has a word beside a space: the values are words too, or numbers before a word. */
const LIKE_PART = /\s\p{L}{2,}|(?<![\d\p{L}])\p{L}{2,}\s/u

/** The words in a component that are outside the texts, each as `{ start, end, line, kind, text }`. */
export function findInComponent(source) {
  const tree = parse(source, { modern: true })
  const found = []
  visitFragment(tree.fragment, found)
  for (const script of [tree.instance, tree.module]) if (script) visitScript(script.content, found)
  return inOrder(found, source)
}

/** The words in a TypeScript module that are outside the texts. */
export function findInModule(source) {
  const program = parseModule(source)
  const found = []
  visitScript(program, found)
  const place = (at) => at - program.offset
  return inOrder(
    found.map((one) => ({ ...one, start: place(one.start), end: place(one.end) })),
    source,
  )
}

/** Findings by place; in a script, a comment on the line or on the line before may call a string "no text". */
function inOrder(found, source) {
  const lines = source.split('\n')
  const exempt = (line) => [lines[line - 1], lines[line - 2]].some((one) => /\/\/.*\bno text\b/i.test(one ?? ''))
  return found
    .sort((one, other) => one.start - other.start)
    .map((one) => ({ ...one, line: source.slice(0, one.start).split('\n').length }))
    .filter(({ kind, line }) => kind !== 'script' || !exempt(line))
}

// ---- markup ----

function visitFragment(fragment, found) {
  for (const node of fragment?.nodes ?? []) visitMarkup(node, found)
}

function visitMarkup(node, found) {
  switch (node.type) {
    case 'Text':
      if (LETTER.test(node.data)) report(found, node, 'text', node.data)
      return
    case 'ExpressionTag':
      refuseShown(node.expression, found, 'text')
      visitScript(node.expression, found)
      return
    case 'HtmlTag':
      refuseShown(node.expression, found, 'text')
      return
    case 'StyleSheet':
    case 'Comment':
      return
  }
  if (node.attributes) visitAttributes(node, found)
  for (const child of children(node)) {
    if (node.attributes?.includes(child)) continue
    if (child.type === 'Fragment') visitFragment(child, found)
    else if (child.type === 'SnippetBlock' || child.fragment) visitMarkup(child, found)
    else visitScript(child, found)
  }
}

function visitAttributes(node, found) {
  const isComponent = node.type === 'Component' || node.type === 'SvelteComponent'
  for (const attribute of node.attributes) {
    if (attribute.type !== 'Attribute') {
      visitScript(attribute, found)
      continue
    }
    if (attribute.value === true || attribute.name === 'class') continue
    const isRead = READ_ATTRIBUTES.has(attribute.name) || (isComponent && READ_PROPERTIES.has(attribute.name))
    for (const part of Array.isArray(attribute.value) ? attribute.value : [attribute.value]) {
      if (part.type === 'Text') {
        const refused = isRead ? LETTER.test(part.data) : isComponent && LIKE_TEXT.test(part.data)
        if (refused) report(found, part, attribute.name, part.data)
        continue
      }
      if (isRead) refuseShown(part.expression, found, attribute.name)
      visitScript(part.expression, found)
    }
  }
}

/** Literals that the value of an expression may be, or be a part of. */
function refuseShown(node, found, kind) {
  switch (node.type) {
    case 'Literal':
      if (typeof node.value === 'string' && LETTER.test(node.value)) report(found, node, kind, node.value)
      return
    case 'TemplateLiteral':
      for (const quasi of node.quasis)
        if (LETTER.test(quasi.value.cooked)) report(found, node, kind, quasi.value.cooked)
      for (const expression of node.expressions) refuseShown(expression, found, kind)
      return
    case 'ConditionalExpression':
      refuseShown(node.consequent, found, kind)
      refuseShown(node.alternate, found, kind)
      return
    case 'LogicalExpression':
      refuseShown(node.left, found, kind)
      refuseShown(node.right, found, kind)
      return
    case 'BinaryExpression':
      if (node.operator !== '+') return
      refuseShown(node.left, found, kind)
      refuseShown(node.right, found, kind)
      return
    case 'CallExpression':
      for (const argument of node.arguments) refuseStandIn(argument, found, kind)
      return
    case 'TSAsExpression':
    case 'TSNonNullExpression':
    case 'TSSatisfiesExpression':
      refuseShown(node.expression, found, kind)
  }
}

/** What a function that makes words gets in place of a missing value. A literal alone is a code, as in `money(sum, 'USD')`. */
function refuseStandIn(node, found, kind) {
  if (node.type === 'LogicalExpression' && node.operator !== '&&') refuseShown(node.right, found, kind)
}

// ---- scripts ----

const isText = ({ type, callee, object }) =>
  type === 'CallExpression' ? isText(callee) : type === 'MemberExpression' && object.name === 'texts'

const COMPARING = new Set(['===', '!==', '==', '!=', 'in'])

/** `Record<Key, string>`: what each of some codes is called, or what each of them stands for. */
const isTable = ({ typeName, typeArguments }) =>
  typeName?.name === 'Record' && typeArguments?.params[1]?.type === 'TSStringKeyword'

/** Where one value of a table is a text, all are. */
function refuseInTable({ id, init }, found) {
  const type = id.typeAnnotation?.typeAnnotation
  if (!type || init?.type !== 'ObjectExpression' || !isTable(type)) return
  const values = init.properties.flatMap(({ value }) => (value ? [value] : []))
  if (values.some(isText)) for (const value of values) refuseShown(value, found, 'script')
}

/** Where one answer of a function is a text, all are. */
function refuseInAnswers(body, found) {
  const answers = answersOf(body)
  if (answers.some(isText)) for (const answer of answers) refuseShown(answer, found, 'script')
}

/** What is returned below a node, but not from functions inside it. */
function answersOf(node) {
  if (node.type === 'ReturnStatement') return node.argument ? [node.argument] : []
  return /Function/.test(node.type) ? [] : children(node).flatMap(answersOf)
}

function visitScript(node, found) {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
    case 'TSTypeAliasDeclaration':
    case 'TSInterfaceDeclaration':
      return
    case 'Literal':
      if (typeof node.value === 'string' && LIKE_TEXT.test(node.value)) report(found, node, 'script', node.value)
      return
    case 'TemplateLiteral': {
      const whole = node.quasis.map((quasi) => quasi.value.cooked).join('0')
      if (LIKE_TEXT.test(whole) || node.quasis.some((quasi) => LIKE_PART.test(quasi.value.cooked))) {
        report(found, node, 'script', whole)
        for (const expression of node.expressions) refuseShown(expression, found, 'script')
      }
      break
    }
    case 'BinaryExpression':
      if (COMPARING.has(node.operator)) {
        for (const side of [node.left, node.right]) {
          if (side.type !== 'Literal') visitScript(side, found)
          else refuseCompared(side, found)
        }
        return
      }
      break
    case 'ConditionalExpression':
    case 'LogicalExpression':
      // What stands in for a text is a text too, and so is a form for a count.
      if (children(node).some(isText) || (node.test?.operator === '===' && node.test.right.value === 1)) refuseShown(node, found, 'script')
      break
    case 'CallExpression':
      if (node.callee.property?.name === 'join' && LIKE_LINK.test(node.arguments[0]?.value))
        report(found, node.arguments[0], 'script', node.arguments[0].value)
      break
    case 'VariableDeclarator':
      refuseInTable(node, found)
      break
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      refuseInAnswers(node.body, found)
      break
    case 'SwitchCase':
      if (node.test?.type === 'Literal') refuseCompared(node.test, found)
      for (const consequence of node.consequent) visitScript(consequence, found)
      return
    case 'Property':
    case 'PropertyDefinition':
      if (!node.computed && READ_FIELDS.has(node.key.name)) refuseShown(node.value, found, 'script')
      if (node.value) visitScript(node.value, found)
      return
    case 'ThrowStatement':
      // A mistake of the program, which no page shows.
      if (/^(Range|Type)Error$/.test(node.argument.callee?.name)) return
      break
    case 'MemberExpression':
      visitScript(node.object, found)
      if (node.computed && node.property.type !== 'Literal') visitScript(node.property, found)
      return
  }
  for (const child of children(node)) visitScript(child, found)
}

/** A code is one word: a value that is compared with two is a text, and another one in another language. */
function refuseCompared(node, found) {
  if (TWO_WORDS.test(node.value)) report(found, node, 'script', node.value)
}

/** The place of a literal says more than its looks, and is visited before. */
function report(found, node, kind, text) {
  if (found.some(({ start }) => start === node.start)) return
  found.push({ start: node.start, end: node.end, kind, text: text.trim().replace(/\s+/g, ' ') })
}
