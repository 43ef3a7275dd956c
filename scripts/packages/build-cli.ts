import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const root = fileURLToPath(new URL('../..', import.meta.url))
const source = join(root, 'apps/cli')

/** Builds `@lathe/cli` as it is published: one program with all it needs, without this repository. */
export async function buildCli(folder: string): Promise<void> {
  const dist = join(folder, 'dist')
  rmSync(dist, { recursive: true, force: true })
  mkdirSync(dist, { recursive: true })
  const { private: _, dependencies: __, ...about } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
  await build({
    configFile: false,
    logLevel: 'warn',
    root: source,
    define: { LATHE_VERSION: JSON.stringify(about.version) },
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: 'src/main.ts',
      outDir: dist,
      emptyOutDir: false,
      target: 'node20',
      minify: false,
      // Commands are loaded when they are called: the first answer comes at once.
      rolldownOptions: {
        output: { entryFileNames: 'lathe.js', chunkFileNames: '[name].js', banner: '#!/usr/bin/env node' },
      },
    },
  })
  const published = { ...about, bin: { lathe: 'dist/lathe.js' }, engines: { node: '>=20.16' }, files: ['dist'] }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
  for (const file of [join(source, 'README.md'), join(root, 'LICENSE')])
    cpSync(file, join(folder, file.split('/').at(-1) ?? ''))
}
