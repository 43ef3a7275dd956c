/** `npm run web:build`: builds the web app into apps/web/dist, with a compressed twin of every file worth it. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'vite'
import { firstLoad } from './web/first-load.ts'

const app = fileURLToPath(new URL('../apps/web', import.meta.url))
await build({ configFile: join(app, 'vite.config.ts'), logLevel: 'warn' })

const dist = join(app, 'dist')
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !/\.(js|css|html|svg|webmanifest)$/.test(entry.name)) continue
  const file = join(entry.parentPath, entry.name)
  const content = readFileSync(file)
  writeFileSync(`${file}.br`, brotliCompressSync(content, quality))
  writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }))
}
console.log(
  `apps/web/dist: ${(firstLoad(dist).bytes / 1000).toFixed(1)} kB of JavaScript (gzip) for the first load of /`,
)
