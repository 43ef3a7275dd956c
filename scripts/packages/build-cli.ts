import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'

const root = fileURLToPath(new URL('../..', import.meta.url))
const source = join(root, 'apps/cli')

/**
 * Replacements for the Node modules that commander imports. Importing a module reads all its properties, and some are
 * created only then: the flags of `node:process`, the streams of `node:fs`, all of `net` for `node:child_process`. That
 * would cost 20 ms at every start.
 */
const lentModules: Readonly<Record<string, string>> = {
  'node:process': 'globalThis.process',
  'node:fs': "process.getBuiltinModule('node:fs')",
  // Used for subcommands that are separate programs.
  'node:child_process': "{ spawn: (...args) => process.getBuiltinModule('node:child_process').spawn(...args) }",
}

const lendModules: Plugin = {
  name: 'lend-modules',
  enforce: 'pre',
  resolveId: (source, importer = '') =>
    importer.includes('/commander/') && source in lentModules ? `\0lent:${source}` : undefined,
  load(id) {
    const lent = lentModules[id.replace('\0lent:', '')]
    return id.startsWith('\0lent:') && lent !== undefined ? `export default ${lent}` : undefined
  },
}

/** What every call needs, and what every command that calls the service needs. */
const programModules =
  /\/commander\/|lent:|cli\/src\/(program|exit-codes|option-flags|generated\/.*|batch\/reporter)\.ts|sdk\/src\/(errors|nearest|generated\/options)\.ts/
const fileModules = /cli\/src\/(batch\/.*|connect|profiles|option-values)\.ts|sdk\/src\//

/** Builds `@lathe/cli` as published: one program with its dependencies, independent of this repository. */
export async function buildCli(folder: string): Promise<void> {
  const dist = join(folder, 'dist')
  rmSync(dist, { recursive: true, force: true })
  mkdirSync(dist, { recursive: true })
  const { private: _, dependencies: __, ...about } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
  await build({
    configFile: false,
    logLevel: 'warn',
    root: source,
    plugins: [lendModules],
    define: { LATHE_VERSION: JSON.stringify(about.version) },
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: 'src/main.ts',
      outDir: dist,
      emptyOutDir: false,
      target: 'node20',
      minify: false,
      // Commands are loaded when they are called, so the first response is fast. Modules that most commands need are in
      // a few files.
      rolldownOptions: {
        output: {
          ...{ entryFileNames: 'lathe.js', chunkFileNames: '[name].js', banner: '#!/usr/bin/env node' },
          codeSplitting: {
            groups: [
              { name: 'program', test: programModules },
              { name: 'files', test: fileModules },
            ],
          },
        },
      },
    },
  })
  const published = { ...about, bin: { lathe: 'dist/lathe.js' }, engines: { node: '>=20.16' }, files: ['dist'] }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
  for (const file of [join(source, 'README.md'), join(root, 'LICENSE')])
    cpSync(file, join(folder, file.split('/').at(-1) ?? ''))
}
