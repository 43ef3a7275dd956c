/** Checks the size of the built web app. Without a build there is nothing to check. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { firstLoad } from './web/first-load.ts'

const limitBytes = 130_000
const dist = fileURLToPath(new URL('../apps/web/dist', import.meta.url))

if (existsSync(`${dist}/.vite/manifest.json`)) {
  const { bytes, files } = firstLoad(dist)
  console.log(`first load of /: ${bytes} of ${limitBytes} bytes of JavaScript (gzip) in ${files.length} files`)
  if (bytes > limitBytes) process.exitCode = 1
} else {
  console.log('the web app has not been built: npm run web:build')
}
