import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'

const root = fileURLToPath(new URL('../..', import.meta.url))

const entries = {
  api: join(root, 'apps/api/src/main.ts'),
  worker: join(root, 'apps/worker/src/main.ts'),
  scheduler: join(root, 'apps/scheduler/src/main.ts'),
}

/** npm packages with native code, which cannot be bundled: they are loaded from `node_modules`. */
const unbundled = ['ssh2']

/**
 * Bundles the api, the worker and the scheduler into `api.js`, `worker.js` and `scheduler.js`. Reading a few files
 * instead of 2,300 takes a quarter of the processor time at each start. The folder must be inside the checkout: files
 * read at run time, such as migrations and engine runners, stay where they are.
 */
export async function buildApps(folder: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'warn',
    root,
    plugins: [keepUrlsOf(folder)],
    ssr: { noExternal: true, external: unbundled },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: true,
      target: 'node24',
      // Stack traces in logs stay readable.
      minify: false,
      rolldownOptions: { input: entries, output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' } },
    },
  })
}

/** Sources find files next to them by `import.meta`, which in a bundle describes the bundle. */
function keepUrlsOf(folder: string): Plugin {
  return {
    name: 'keep-urls',
    enforce: 'pre',
    transform: {
      filter: { id: /\.ts$/, code: /import\.meta\.(url|dirname)/ },
      handler: (code, id) => ({
        code: code
          .replaceAll('import.meta.url', `new URL('${relative(folder, id)}', import.meta.url).href`)
          .replaceAll(
            'import.meta.dirname',
            `process.getBuiltinModule('node:path').join(import.meta.dirname, '${relative(folder, dirname(id))}')`,
          ),
        map: null,
      }),
    },
  }
}
