// How the two pages are built. The bytes of `dist` depend on the source alone, so that a rebuild can be compared with it.
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'

// While developing, everything that is not a page comes from an exchange that already runs.
const exchange = process.env.BELLWETHER_URL ?? 'http://127.0.0.1:8080'
const forwarded = { target: exchange, changeOrigin: true, headers: { origin: exchange } }

export default defineConfig({
  plugins: [svelte()],
  server: {
    proxy: {
      '/v1': forwarded,
      '/web': forwarded,
      '/version': forwarded,
      '/ws': { ...forwarded, ws: true },
    },
  },
  build: {
    target: 'es2022',
    // The content security policy has no room for inlined code, and every browser that runs Svelte 5 knows modulepreload.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      input: { index: 'index.html', operator: 'operator.html' },
      output: {
        // A few files instead of dozens: what every page needs, what only some pages need of it, what traders' pages need,
        // what browsing needs; in this order, because a group takes along what it imports. Charts stay apart.
        codeSplitting: {
          groups: [
            { name: 'shared', test: /node_modules\/(svelte|esm-env|clsx|openapi-fetch)|src\/shared\/(?!csv|secrets|state\/sound|components\/(Confirm|Copy|Field|Pager|Plot|Scroller|Table|Tabs|TextField)\.)/ },
            { name: 'parts', test: /src\/shared\/(secrets|components\/(Confirm|Copy|Field|Pager|Scroller|Table|Tabs|TextField)\.)/ },
            { name: 'trader', test: /src\/trader\/((market|session(?!\/Login)|search)\/|layout\/(?!Event))/ },
            { name: 'event-head', test: /src\/trader\/(event\/EventHead|layout\/Event)/ },
            { name: 'browse', test: /src\/trader\/(browse\/|(series|sports)\/(SeriesCard|SeriesStrip|series|Match(Card|State|Strip)|sports)\.)/ },
          ],
        },
      },
    },
  },
})
