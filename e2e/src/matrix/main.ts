/** Runs every advertised pair on a real file through the whole service, and writes the published table: `npm run matrix`. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Ability, advertised } from '@lathe/engines'
import { startStack } from '@lathe/testing'
import { type FixtureName, fixturePath } from '../../../fixtures/fixtures.ts'
import { type Client, createClient } from '../client.ts'
import { openOutput } from '../outputs.ts'
import { type PairResult, renderMatrix } from './render-matrix.ts'

const page = new URL('../../../docs/matrix.md', import.meta.url)

/** One real file of every format that anything is made from. */
const fixtureOf: Readonly<Record<string, FixtureName>> = {
  jpg: 'photo-40k.jpg',
  png: 'alpha.png',
  webp: 'photo.webp',
  avif: 'photo.avif',
  gif: 'animated.gif',
  tiff: 'photo.tiff',
  svg: 'text.svg',
  pdf: 'two-pages.pdf',
}

async function importOf(api: Client, format: string): Promise<string> {
  const name = fixtureOf[format]
  if (!name) throw new Error(`there is no fixture of ${format}: add one, so that the pair can be run`)
  const file = `data:application/octet-stream;base64,${(await readFile(fixturePath(name))).toString('base64')}`
  const task = await api.run('import/base64', { file, filename: name })
  return task.id
}

async function runPair(api: Client, ability: Ability): Promise<PairResult> {
  const { operation, from, to } = ability
  const input = [await importOf(api, from), ...(operation === 'merge' ? [await importOf(api, from)] : [])]
  const options = operation === 'crop' ? { x: 0, y: 0, width: 10, height: 10 } : {}
  const target = operation === 'convert' || operation === 'merge' ? { output_format: to } : {}
  const task = await api.run(operation, { input, options, ...target })
  const [file] = task.result.files ?? []
  if (!file) return { operation, from, to, fault: task.result.reason ?? task.status }
  const { format } = await openOutput(await api.download(file.url))
  if (format !== to) return { operation, from, to, fault: `gave ${format}` }
  const tookMs = Date.parse(task.endedAt ?? '') - Date.parse(task.startedAt ?? '')
  return { operation, from, to, tookMs }
}

await using own = new AsyncDisposableStack()
const folder = own.adopt(await mkdtemp(join(tmpdir(), 'lathe-matrix-')), (made) => rm(made, { recursive: true }))
const stack = own.use(await startStack())
const { key } = await stack.createKey({ slots: 8 })
const api = createClient({ url: stack.url, key, recordFile: join(folder, 'exercised') })
const results: PairResult[] = []
for (const ability of advertised) {
  const result = await runPair(api, ability)
  results.push(result)
  const { operation, from, to, fault, tookMs } = result
  console.error(`${operation} ${from} → ${to}: ${fault ?? `${tookMs} ms`}`)
}
await writeFile(page, renderMatrix(results, new Date()))
const failing = results.filter(({ fault }) => fault !== undefined).length
console.log(`${results.length - failing} passed, ${failing} failed`)
process.exitCode = failing === 0 ? 0 : 1
