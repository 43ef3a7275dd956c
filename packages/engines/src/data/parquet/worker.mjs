// @ts-check
/** The thread that reads and writes tables. Its heap has a limit of its own, so that the runner can tell that it was reached. */
import { parentPort, workerData } from 'node:worker_threads'
import { readTable } from './read.mjs'
import { toRefusal } from './refusal.mjs'
import { writeTable } from './write.mjs'

const { op, ask } = workerData
const progress = (/** @type {number} */ share) => parentPort?.postMessage({ progress: share })
try {
  const counts = op === 'write' ? writeTable(ask, progress) : await readTable(ask, progress)
  parentPort?.postMessage({ counts })
} catch (error) {
  const { code, text, detail } = toRefusal(error)
  parentPort?.postMessage({ refusal: { code, text, detail } })
}
