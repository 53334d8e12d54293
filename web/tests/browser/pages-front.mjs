// A server before an exchange. With a folder, the pages come from there, with the headers that the exchange sends; everything
// else comes from the exchange. For Firefox it allows `eval`, with which playwright-core does its work there; the rest of the
// content security policy stays.
import { readFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { connect } from 'node:net'
import { extname, join, normalize } from 'node:path'
import { gzipSync } from 'node:zlib'

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
}
const COPIED = ['content-security-policy', 'x-content-type-options', 'referrer-policy', 'cross-origin-opener-policy']
/** Paths of programs, which are never the page. */
const PROGRAMS = /^\/(v1|ws|web|admin|docs|health|metrics|version|openapi|asyncapi|api|\.well-known|embed(?!\.)|oembed|feeds|cards|pictures)\b/
const COMPRESSED_FROM_BYTES = 1024

/** The folder of the build, as a page from here names it. */
const BUILD = 'assets/000000000000/'

/** The headers of an answer, as the browser may have them. */
function eased(headers) {
  const policy = headers['content-security-policy']
  if (process.env.BROWSER !== 'firefox' || !policy) return headers
  return { ...headers, 'content-security-policy': policy.replace("script-src 'self'", "script-src 'self' 'unsafe-eval'") }
}

/** Whether the browser has a line, for one that cannot cut its own; programs always have one. */
let hasLine = true
const streams = new Set()
const isOfFirefox = ({ headers }) => /Firefox/.test(headers['user-agent'] ?? '')
const isCut = (asked) => !hasLine && isOfFirefox(asked)

export function setLine(isThere) {
  hasLine = isThere
  if (!isThere) for (const stream of streams) stream.destroy()
}

/** Called with each request that a browser sent to an exchange, with its body. */
export const watchers = new Set()

function tellWatchers(asked) {
  if (watchers.size === 0) return
  const parts = []
  asked.on('data', (part) => parts.push(part))
  asked.on('end', () => {
    for (const watcher of watchers) watcher({ method: asked.method, url: asked.url, body: Buffer.concat(parts).toString() })
  })
}

export async function frontOf(address, folder, entry) {
  const behind = new URL(address)
  const page = await fetch(address, { headers: { accept: 'text/html' } })
  const copied = COPIED.flatMap((name) => (page.headers.has(name) ? [[name, page.headers.get(name)]] : []))
  const guards = eased(Object.fromEntries(copied))

  async function fileOf(path, accept) {
    const wanted = normalize(decodeURIComponent(path))
    if (extname(wanted) && !wanted.endsWith('.html') && !PROGRAMS.test(wanted)) {
      const bytes = await readFile(join(folder, wanted.replace(BUILD, 'assets/'))).catch(() => undefined)
      return bytes && { bytes, type: TYPES[extname(wanted)] ?? 'application/octet-stream', hashed: wanted.startsWith('/assets/') }
    }
    const isPage = /text\/html/.test(accept ?? '') && !extname(wanted) && !PROGRAMS.test(wanted)
    if (!isPage) return undefined
    const page = await readFile(join(folder, entry), 'utf8')
    return { bytes: Buffer.from(page.replaceAll('"/assets/', `"/${BUILD}`)), type: TYPES['.html'], hashed: false }
  }

  const server = createServer(async (asked, answer) => {
    if (isCut(asked)) return void asked.socket.destroy()
    const path = new URL(asked.url, address).pathname
    const file = folder && ['GET', 'HEAD'].includes(asked.method) ? await fileOf(path, asked.headers.accept) : undefined
    if (file) {
      const packed = !file.type.startsWith('image/png') && file.bytes.length >= COMPRESSED_FROM_BYTES
      answer.writeHead(200, {
        ...guards,
        'content-type': file.type,
        'cache-control': file.hashed ? 'public, max-age=31536000, immutable' : 'no-cache',
        ...(packed ? { 'content-encoding': 'gzip' } : {}),
      })
      return answer.end(packed ? gzipSync(file.bytes) : file.bytes)
    }
    const { method, headers } = asked
    const passed = request({ host: behind.hostname, port: behind.port, method, path: asked.url, headers }, (answered) => {
      answer.writeHead(answered.statusCode, eased(answered.headers))
      answered.pipe(answer)
    })
    passed.on('error', () => answer.destroy())
    answer.on('close', () => passed.destroy())
    if (isOfFirefox(asked)) tellWatchers(asked)
    asked.pipe(passed)
  })
  // A WebSocket is passed on byte by byte.
  server.on('upgrade', (asked, socket, head) => {
    if (isCut(asked)) return void socket.destroy()
    if (isOfFirefox(asked)) {
      streams.add(socket)
      socket.once('close', () => streams.delete(socket))
    }
    const passed = connect(Number(behind.port), behind.hostname, () => {
      const lines = [`${asked.method} ${asked.url} HTTP/1.1`]
      for (let at = 0; at < asked.rawHeaders.length; at += 2) lines.push(`${asked.rawHeaders[at]}: ${asked.rawHeaders[at + 1]}`)
      passed.write(`${lines.join('\r\n')}\r\n\r\n`)
      passed.write(head)
      passed.pipe(socket).pipe(passed)
    })
    for (const [one, other] of [[passed, socket], [socket, passed]]) {
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  })
  await new Promise((resume) => server.listen(0, '127.0.0.1', resume))
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}
