/** Measures the service beside the bare tools it is made of: `npm run bench -- service`. */
import { report, say } from './parts/measure.ts'
import { benchService } from './service/bench-service.ts'

const benches = { service: benchService }
const words = process.argv.slice(2)
const names = words.filter((word) => !word.startsWith('--'))
// --only=latency,small runs some parts of a bench.
const only = words.flatMap((word) => (word.startsWith('--only=') ? word.slice('--only='.length).split(',') : []))

try {
  for (const name of names.length > 0 ? names : Object.keys(benches)) {
    if (!Object.hasOwn(benches, name)) throw new Error(`no bench ${name}: there is ${Object.keys(benches).join(', ')}`)
    await benches[name as keyof typeof benches](report, only)
  }
} catch (error) {
  say(error instanceof Error ? (error.stack ?? error.message) : String(error))
  process.exitCode = 1
}
