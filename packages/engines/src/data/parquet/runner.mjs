// @ts-check
/**
 * The runner of Parquet tables. It runs inside the sandbox and speaks JSON lines: a request on stdin, progress and one
 * answer on stdout. It ends when stdin closes.
 */
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Worker } from 'node:worker_threads'
import { beyond, Refusal } from './refusal.mjs'

/** @param {Record<string, unknown>} message */
function send(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`)
}

/** @param {string} dir @param {unknown} file */
function locate(dir, file) {
  // Plans name files `in-0.csv`; anything else is a fault on our side and must not become a path.
  if (!/^[a-z]{1,8}-\d{1,6}\.[a-z0-9]{1,8}$/.test(String(file)))
    throw new Refusal('engine_crashed', undefined, 'bad name')
  return join(dir, String(file))
}

/** @param {{ dir: string, request: any, onProgress: (share: number) => void }} call @returns {Promise<Record<string, number>>} */
function run({ dir, request: { op, ask, heapMiB }, onProgress }) {
  const own = { ...ask, input: locate(dir, ask.input), output: locate(dir, ask.output) }
  const worker = new Worker(new URL('worker.mjs', import.meta.url), {
    workerData: { op, ask: own },
    resourceLimits: { maxOldGenerationSizeMb: heapMiB },
  })
  return new Promise((resolve, reject) => {
    worker.on('message', ({ progress, counts, refusal }) => {
      if (progress !== undefined) onProgress(progress)
      if (counts !== undefined) resolve(counts)
      if (refusal !== undefined) reject(new Refusal(refusal.code, refusal.text, refusal.detail))
    })
    worker.on('error', (error) => {
      const isMemory = /** @type {NodeJS.ErrnoException} */ (error).code === 'ERR_WORKER_OUT_OF_MEMORY'
      reject(isMemory ? beyond(`The table needs more than ${heapMiB} MiB of memory`) : error)
    })
    worker.on('exit', (code) => reject(new Error(`the thread ended with ${code}`)))
  })
}

/** @param {{ id: number, dir: string, request: any }} message */
async function answer({ id, dir, request }) {
  try {
    const onProgress = (/** @type {number} */ share) => send({ id, progress: Math.round(share * 1000) / 1000 })
    send({ id, ok: true, result: { counts: await run({ dir, request, onProgress }) } })
  } catch (error) {
    const known =
      error instanceof Refusal ? error : new Refusal('engine_crashed', undefined, String(error).slice(0, 512))
    send({ id, ok: false, code: known.code, text: known.text, detail: known.detail })
  }
}

send({ ready: true })
for await (const line of createInterface({ input: process.stdin })) {
  if (line !== '') await answer(JSON.parse(line))
}
