import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The URL of `npm run dev`; Vite's development server proxies calls to it. */
const api = 'http://127.0.0.1:8080'

// The libraries of every page are one file: it compresses better and stays the same when only our code changes.
const everywhere =
  /node_modules\/(react|react-dom|scheduler|i18next|react-i18next|@tanstack\/(react-router|router-core|history|react-store|store))\//

// Small modules that the first page needs and other pages share. As separate files, they compress worse.
const firstPage =
  /\/packages\/sdk\/src\/(errors|request)\.ts$|\/apps\/web\/src\/(api\/(errors|settings)|app\/(languages|theme|words)|converter\/(item|state)|lib\/(formats|store)|locales\/en|pages\/trouble|session\/(auth-client|bearer|kept-key|session)|ui\/(button|classes|logo|notice))\.(ts|tsx|json)$/

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss()],
  build: {
    target: 'es2023',
    manifest: true,
    // The content security policy of the pages forbids data: URLs and inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: 'libraries', test: everywhere },
            { name: 'first-page', test: firstPage },
          ],
        },
      },
    },
    license: { fileName: 'licenses.md' },
  },
  server: { proxy: { '/v1': api, '/auth': api, '/docs': api, '/openapi.json': api, '/auth-openapi.json': api } },
})
