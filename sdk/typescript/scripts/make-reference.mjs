// Makes REFERENCE.md from the comments of the public names, as the committed build declares them.
//
//   node scripts/make-reference.mjs           writes it
//   node scripts/make-reference.mjs --check   fails if it differs
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const PAGE = fileURLToPath(new URL('../REFERENCE.md', import.meta.url))
const ENTRY = fileURLToPath(new URL('../dist/index.d.ts', import.meta.url))
const GROUPS = [
  ['The client', ['Client', 'ClientSettings', 'ClientOptions']],
  ['Events and markets', ['Event', 'Market', 'Outcome', 'CandleOptions']],
  [
    'Orders',
    ['Order', 'OrderTerms', 'NewOrder', 'Amendment', 'Keyed', 'Batch', 'BatchItem', 'CancelConditions', 'Side']
      .concat(['TimeInForce', 'StpMode']),
  ],
  [
    'Lists',
    ['Pager', 'Paged', 'InCurrency', 'EventFilters', 'OrderFilters', 'TradeFilters', 'PositionFilters']
      .concat(['ActivityFilters', 'PnlOptions']),
  ],
  ['Numbers', ['Decimal', 'Numeric', 'Rounding', 'decode', 'encode', 'Json', 'JsonObject', 'Encodable']],
  [
    'Streams',
    ['MarketStream', 'AccountStream', 'Listener', 'Stream', 'ChangeStream', 'FollowOptions', 'Update', 'UpdateKind']
      .concat(['Fill', 'Message']),
  ],
  [
    'Local copies',
    ['LocalBook', 'BookLevel', 'MarketPrices', 'SideName', 'LocalAccount', 'LocalWallet', 'LocalPosition', 'Trust']
      .concat(['Room', 'Copy']),
  ],
  [
    'Errors',
    ['BellwetherError', 'ApiError', 'BadRequest', 'Unauthorized', 'Forbidden', 'NotFound', 'Conflict', 'RuleRefused']
      .concat(['RateLimited', 'Unavailable', 'ConnectionFailed', 'OutcomeUnknown', 'UnreadableAnswer'])
      .concat(['StreamRefused', 'WaitTimedOut', 'Refusal']),
  ],
  ['Requests without a method', ['requests', 'Request', 'Access', 'Answer', 'VERSION']],
]
const HEAD = `# Reference

Made from the comments by \`scripts/make-reference.mjs\`.

Methods that return a promise are marked with \`await\`. A \`Numeric\` that you pass is a \`Decimal\`, \`number\`,
\`bigint\` or string. Fields with a question mark may be absent.
`

const program = ts.createProgram([ENTRY], {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
  types: [],
})
const checker = program.getTypeChecker()
const printer = ts.createPrinter({ removeComments: true })
const exported = new Map(
  checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(ENTRY))).map((symbol) => [
    symbol.name,
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
  ]),
)

const text = page()
if (process.argv.includes('--check')) {
  if (!existsSync(PAGE) || readFileSync(PAGE, 'utf8') !== text) {
    console.error('run `npm run reference` in sdk/typescript: REFERENCE.md would change')
    process.exit(1)
  }
} else writeFileSync(PAGE, text)

/** The whole page. */
function page() {
  const grouped = new Set(GROUPS.flatMap(([, names]) => names))
  const rest = [...exported.keys()].filter((name) => !grouped.has(name)).sort()
  const groups = [...GROUPS, ['Data', rest]]
  return [HEAD, ...groups.map(([title, names]) => `## ${title}\n\n${names.map(entry).join('\n')}`)].join('\n')
}

/** A class, an interface, a type, a function or a constant. */
function entry(name) {
  const symbol = exported.get(name)
  if (!symbol) throw new Error(`the package does not export ${name}`)
  const parts = [`### ${name}\n`, `${words(symbol, name)}\n`]
  const declarations = symbol.declarations ?? []
  const type = declarations.find(ts.isTypeAliasDeclaration)
  const call = declarations.find(ts.isFunctionDeclaration)
  const clauses = declarations.flatMap((declaration) => declaration.heritageClauses ?? [])
  const bases = clauses.filter((clause) => clause.token === ts.SyntaxKind.ExtendsKeyword)
  const names = bases.flatMap((clause) => clause.types).map((base) => `\`${print(base)}\``)
  if (names.length > 0) parts.push(`Extends ${[...new Set(names)].join(', ')}.\n`)
  if (type) parts.push(`\`${print(type.type)}\`\n`)
  else if (call) parts.push(`\`${name}${parameters(call)}\`\n`)
  else if (isModule(symbol)) parts.push(table(checker.getExportsOfModule(symbol).map(functionRow)))
  else parts.push(...membersOf(declarations))
  return parts.filter((part) => part !== '').join('\n')
}

/** Fields as a line, methods as a table. */
function membersOf(declarations) {
  const members = declarations
    .filter((declaration) => ts.isClassDeclaration(declaration) || ts.isInterfaceDeclaration(declaration))
    .flatMap((declaration) => [...declaration.members])
    .filter((member) => isPublic(member))
  const plain = members.filter((member) => isField(member) && commentOf(member) === '')
  const rest = members.filter((member) => !plain.includes(member))
  const fields = plain.map((member) => `\`${typed(member)}\``)
  return [fields.length > 0 ? `Fields: ${fields.join(', ')}.\n` : '', table(rest.map(memberRow))]
}

function memberRow(member) {
  const isStatic = ts.getModifiers(member)?.some((modifier) => modifier.kind === ts.SyntaxKind.StaticKeyword)
  const prefix = isStatic ? `${member.parent.name.text}.` : ''
  if (ts.isConstructorDeclaration(member)) {
    return [`new ${member.parent.name.text}${parameters(member)}`, commentOf(member)]
  }
  const comment = commentOf(member) || inherited(member)
  if (!ts.isMethodDeclaration(member) && !ts.isMethodSignature(member)) {
    return [typed(member), comment]
  }
  const waiting = print(member.type).startsWith('Promise<') ? 'await ' : ''
  return [`${waiting}${prefix}${print(member.name)}${parameters(member)}`, comment]
}

/** The comment of the first declaration of an overloaded method. */
function inherited(member) {
  const others = member.parent.members.filter((other) => other.name?.getText() === member.name.getText())
  return others.map(commentOf).find((comment) => comment !== '') ?? ''
}

function functionRow(symbol) {
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  const call = (target.declarations ?? []).find(ts.isFunctionDeclaration)
  return call ? [`requests.${symbol.name}${parameters(call)}`, flat(words(target, symbol.name))] : undefined
}

function table(rows) {
  const found = rows.filter((row) => row !== undefined && row[1] !== undefined)
  if (found.length === 0) return ''
  const line = ([usage, comment]) => `| \`${usage.replaceAll('|', '\\|')}\` | ${comment.replaceAll('|', '\\|')} |`
  return ['| | |', '|---|---|', ...found.map(line), ''].join('\n')
}

/** The parameters with their types. */
function parameters(call) {
  const list = call.parameters.map((parameter) => {
    return (parameter.dotDotDotToken ? '...' : '') + typed(parameter)
  })
  return `(${list.join(', ')})`
}

/** A name with its type. */
function typed(node) {
  return `${print(node.name)}${node.questionToken ? '?' : ''}: ${print(node.type)}`
}

function isModule(symbol) {
  return (symbol.flags & ts.SymbolFlags.ValueModule) !== 0
}

function isField(member) {
  return ts.isPropertySignature(member) || ts.isPropertyDeclaration(member)
}

function isPublic(member) {
  const hidden = [ts.SyntaxKind.PrivateKeyword, ts.SyntaxKind.ProtectedKeyword]
  if (ts.getModifiers(member)?.some((modifier) => hidden.includes(modifier.kind))) return false
  if (ts.isConstructorDeclaration(member)) return commentOf(member) !== ''
  // What a loop or a template uses by itself.
  if (ts.isIndexSignatureDeclaration(member) || ts.isComputedPropertyName(member.name)) return false
  return member.name !== undefined && !ts.isPrivateIdentifier(member.name)
}

/** The comment of a public name, which must have one. */
function words(symbol, name) {
  const comment = once(ts.displayPartsToString(symbol.getDocumentationComment(checker)))
  if (comment === '' && !isModule(symbol)) throw new Error(`${name} has no comment`)
  return comment || 'Requests of the API, described but not sent: for `client.send`.'
}

function commentOf(member) {
  const comments = ts.getJSDocCommentsAndTags(member).map((comment) => ts.getTextOfJSDocComment(comment.comment) ?? '')
  return flat(comments.join(' '))
}

/** A comment without line breaks, for a table. */
function flat(comment) {
  return comment.replace(/\s+/g, ' ').trim()
}

/** The comments of merged declarations are equal: one of them. */
function once(comment) {
  const lines = comment.split('\n')
  const half = lines.slice(0, lines.length / 2).join('\n')
  return half === lines.slice(lines.length / 2).join('\n') ? half : comment
}

function print(node) {
  if (!node) return ''
  return printer.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile()).replace(/\s+/g, ' ')
}
