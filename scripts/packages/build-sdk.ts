import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const source = join(root, 'packages/sdk')

/** Builds `@lathe/sdk` as published: JavaScript and declarations, independent of a compiler and this repository. */
export function buildSdk(folder: string): void {
  const dist = join(folder, 'dist')
  rmSync(dist, { recursive: true, force: true })
  mkdirSync(dist, { recursive: true })
  const args = ['-p', join(source, 'tsconfig.build.json'), '--outDir', dist]
  execFileSync(join(root, 'node_modules/.bin/tsc'), args, { stdio: 'inherit' })
  for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    if (name.endsWith('.d.ts')) nameJavaScript(join(dist, name))
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published(), null, 2)}\n`)
  for (const file of [join(source, 'README.md'), join(root, 'LICENSE')])
    cpSync(file, join(folder, file.split('/').at(-1) ?? ''))
}

/** The compiler keeps the names of the source files in declarations, where older compilers do not resolve them. */
function nameJavaScript(file: string): void {
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replaceAll(/(from '\.{1,2}\/[\w/-]+)\.ts'/g, "$1.js'"))
}

function published(): object {
  const {
    private: _,
    dependencies,
    devDependencies: __,
    exports: ___,
    ...about
  } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
  if (Object.keys(dependencies).length > 0) throw new Error('the SDK has no dependencies, so that it runs everywhere')
  return {
    ...about,
    engines: { node: '>=20.16' },
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' }, './package.json': './package.json' },
    files: ['dist'],
  }
}
