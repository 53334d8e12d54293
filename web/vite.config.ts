// How the two pages are built. The bytes of `dist` depend on the source alone, so that a rebuild can be compared with it.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig, type Plugin } from 'vite'

// While developing, everything that is not a page comes from an exchange that already runs.
const exchange = process.env.BELLWETHER_URL ?? 'http://127.0.0.1:8080'
const forwarded = { target: exchange, changeOrigin: true, headers: { origin: exchange } }

/** Names `src/trader/ahead.ts` in the traders' page as a script that runs as soon as it is there. */
const aheadFirst: Plugin = {
  name: 'ahead-first',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle, filename }) {
      const ahead = Object.values(bundle ?? {}).find((file) => file.type === 'chunk' && file.name === 'ahead')
      if (!ahead || !filename.endsWith('/index.html')) return html
      const script = `<script type="module" async crossorigin src="/${ahead.fileName}"></script>`
      return html
        .replace(`    <link rel="modulepreload" crossorigin href="/${ahead.fileName}">\n`, '')
        .replace('<script src="/theme.js">', `${script}\n    <script src="/theme.js">`)
    },
  },
}

/**
 * Names the cache of the service worker after the files that the worker keeps from its start: a build that changes one of them has
 * another worker, which fetches them again.
 */
let publicDir = ''
const workerOfTheBuild: Plugin = {
  name: 'worker-of-the-build',
  apply: 'build',
  configResolved: (config) => void ({ publicDir } = config),
  generateBundle() {
    const source = readFileSync(join(publicDir, 'sw.js'), 'utf8')
    const kept = [...(/^const OFFLINE = \[(.*)\]$/m.exec(source)?.[1] ?? '').matchAll(/'([^']+)'/g)].map(([, name]) => name!)
    const hash = createHash('sha256')
    for (const name of kept) hash.update(readFileSync(join(publicDir, name)))
    const named = source.replace("'bellwether-build'", `'bellwether-${hash.digest('hex').slice(0, 12)}'`)
    if (kept.length === 0 || named === source) this.error('public/sw.js names no files or no cache')
    this.emitFile({ type: 'asset', fileName: 'sw.js', source: named })
  },
}

/**
 * The styles of the landing page and of an event's page are one file, which is loaded beside the first code. In files of their
 * own, every part of a page would make the browser compute all styles of the page again.
 */
const STYLES =
  /src\/(shared\/|trader\/(App|(browse|chart|event|layout|market|search|session|sets|ticket)\/|\w+\/\w*(Button|Card|Panel|Round|State|Strip)\.)).*(type=style|\.css)|uplot.*\.css/
const AHEAD = /src\/trader\/(ahead|routes|market\/queries|session\/kept-currency)\./
/** What that first code needs and the console has too: it must not run the traders' first code. */
const FIRST = /src\/shared\/(api\/(ahead|address)|router\/match)\.|vite\/preload-helper/
/** Modules that neither the landing page nor the head of an event needs, and most other pages do. */
const LATER =
  /src\/shared\/(api\/(link|sender)|(numbers|texts)\/typed|state\/(attempt|sound)|components\/(AmountField|Confirm|Confirmation|Copy|Dialog|Field|Pager|Plot|ResourceFrame|Scroller|Table|Tabs|TextField)\.)|src\/trader\/chart\/(points|tones)\./
/** Shared modules that few pages need: each comes with those. */
const APART = /src\/shared\/(csv|secrets)/
const isForAll = (id: string) =>
  /node_modules\/(svelte|esm-env|clsx)|src\/shared\//.test(id) && !LATER.test(id) && !APART.test(id)

/** Without a hash: the exchange serves the files in a folder that is named after the whole build. */
const NAMES = {
  entryFileNames: 'assets/[name].js',
  chunkFileNames: 'assets/[name].js',
  assetFileNames: 'assets/[name][extname]',
}

export default defineConfig({
  plugins: [svelte(), aheadFirst, workerOfTheBuild],
  // A file names another one relative to itself, so that both come from the same folder.
  experimental: { renderBuiltUrl: (name, { hostType }) => (hostType === 'html' ? `/${name}` : { relative: true }) },
  server: {
    proxy: {
      '/v1': forwarded,
      '/web': forwarded,
      '/version': forwarded,
      '/ws': { ...forwarded, ws: true },
    },
  },
  worker: { rolldownOptions: { output: NAMES } },
  build: {
    target: 'es2022',
    // The content security policy has no room for inlined code, and every browser that runs Svelte 5 knows modulepreload.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // A page asks for all its files at once. A part of a page has them already: asking costs it more than it gains.
      resolveDependencies: (file, needed, { hostType }) =>
        hostType === 'html' || /(Page|browse|event-head)\d*\.js$/.test(file) ? needed : [],
    },
    reportCompressedSize: false,
    rolldownOptions: {
      input: { index: 'index.html', operator: 'operator.html', ahead: 'src/trader/ahead.ts' },
      output: {
        ...NAMES,
        // A few files instead of dozens: what runs first, what every page needs, what most pages need after their first words,
        // what traders' pages need, what an event, its orders, notifications and browsing need; in this order, because a group
        // takes along what it imports. Charts stay apart.
        codeSplitting: {
          groups: [
            { name: 'styles', test: STYLES },
            { name: 'first', test: FIRST },
            { name: 'ahead', test: AHEAD },
            { name: 'shared', test: isForAll },
            { name: 'parts', test: LATER },
            { name: 'trader', test: /src\/trader\/(installing\.|(market|session(?!\/Login)|search)\/|layout\/(?!Event|Menu))/ },
            { name: 'event-head', test: /src\/trader\/(event\/EventHead|layout\/Event)/ },
            { name: 'orders', test: /src\/trader\/(event\/(AmendDialog|OwnOrders|amendment|fills|open-orders|own)\.|portfolio\/value\.|ticket\/compose\.)/ },
            { name: 'bell', test: /src\/trader\/(notifications\/(alerts|bell)|texts\/notifications)\./ },
            { name: 'browse', test: /src\/trader\/(browse\/(?!CardFrame)|(series|sports)\/(SeriesCard|SeriesStrip|series|Match(Card|State|Strip)|sports)\.)/ },
          ],
        },
      },
    },
  },
})
