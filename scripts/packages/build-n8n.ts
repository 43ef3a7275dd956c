import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const root = fileURLToPath(new URL('../..', import.meta.url))
const source = join(root, 'packages/n8n-nodes-lathe')
const entries = ['nodes/Lathe/Lathe.node', 'nodes/LatheTrigger/LatheTrigger.node', 'credentials/LatheApi.credentials']
const icons = ['lathe.svg', 'lathe.dark.svg'].map((name) => `nodes/Lathe/${name}`)

/** Builds `n8n-nodes-lathe` as published: in CommonJS, which n8n loads. */
export async function buildN8n(folder: string): Promise<void> {
  const dist = join(folder, 'dist')
  rmSync(dist, { recursive: true, force: true })
  for (const entry of entries) await bundle(entry, dist)
  for (const icon of icons) cpSync(join(source, 'src', icon), join(dist, icon))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published(), null, 2)}\n`)
  for (const file of ['README.md', 'LICENSE']) cpSync(join(source, file), join(folder, file))
  copySources(folder)
}

/** Copies the sources next to the package, where `npx @n8n/node-cli lint` expects them. They are not published. */
function copySources(folder: string): void {
  const filter = (path: string) => !path.endsWith('.test.ts')
  for (const name of ['nodes', 'credentials']) {
    cpSync(join(source, 'src', name), join(folder, name), { recursive: true, filter })
  }
  // The linter refuses any other configuration.
  const config = "import { config } from '@n8n/node-cli/eslint';\n\nexport default config;\n"
  writeFileSync(join(folder, 'eslint.config.mjs'), config)
}

async function bundle(entry: string, dist: string): Promise<void> {
  mkdirSync(dist, { recursive: true })
  await build({
    configFile: false,
    logLevel: 'warn',
    root: source,
    build: {
      ssr: `src/${entry}.ts`,
      outDir: dist,
      emptyOutDir: false,
      target: 'node20',
      minify: false,
      rolldownOptions: {
        // n8n provides it.
        external: ['n8n-workflow'],
        output: { format: 'cjs', entryFileNames: `${entry}.js` },
      },
    },
  })
}

function published(): object {
  const { private: _, type: __, name: ___, ...about } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
  return {
    name: 'n8n-nodes-lathe',
    ...about,
    keywords: ['n8n-community-node-package'],
    files: ['dist'],
    n8n: {
      n8nNodesApiVersion: 1,
      strict: true,
      credentials: entries.filter(isCredential).map(toPath),
      nodes: entries.filter((entry) => !isCredential(entry)).map(toPath),
    },
    peerDependencies: { 'n8n-workflow': '*' },
  }
}

const isCredential = (entry: string) => entry.startsWith('credentials/')
const toPath = (entry: string) => `dist/${entry}.js`
