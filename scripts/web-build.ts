/** `npm run web:build`: builds the web app into apps/web/dist, with a compressed copy of every file worth it. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { compressFiles } from './web/compress.ts'
import { firstLoad } from './web/first-load.ts'

const app = fileURLToPath(new URL('../apps/web', import.meta.url))
await build({ configFile: join(app, 'vite.config.ts'), logLevel: 'warn' })

const dist = join(app, 'dist')
compressFiles(dist)
console.log(
  `apps/web/dist: ${(firstLoad(dist).bytes / 1000).toFixed(1)} kB of JavaScript (gzip) for the first load of /`,
)
