/** Compares the service with the plain tools it uses: `npm run bench -- service`. */
import { benchCli } from './cli/bench-cli.ts'
import { benchCosts } from './costs/bench-costs.ts'
import { benchFairness } from './fairness/bench-fairness.ts'
import { benchImages } from './images/bench-images.ts'
import { benchOffice } from './office/bench-office.ts'
import { report, say } from './parts/measure.ts'
import { benchRows } from './rows/bench-rows.ts'
import { benchService } from './service/bench-service.ts'
import { benchTargetSize } from './target-size/bench-target-size.ts'
import { benchVideo } from './video/bench-video.ts'

const benches = {
  cli: benchCli,
  costs: benchCosts,
  fairness: benchFairness,
  images: benchImages,
  office: benchOffice,
  rows: benchRows,
  service: benchService,
  'target-size': benchTargetSize,
  video: benchVideo,
}
const words = process.argv.slice(2)
const names = words.filter((word) => !word.startsWith('--'))
// --only=latency,small runs only some parts of a bench.
const only = words.flatMap((word) => (word.startsWith('--only=') ? word.slice('--only='.length).split(',') : []))
// --quick takes few and short files: it shows that a bench works, but its figures mean little.
const isQuick = words.includes('--quick')
// --videos=100 sets a size of a bench that has sizes.
const sizes = Object.fromEntries(
  words.flatMap((word) => {
    const [, name, value] = /^--([a-z]+)=(\d+)$/.exec(word) ?? []
    return name && value ? [[name, Number(value)]] : []
  }),
)

try {
  for (const name of names.length > 0 ? names : Object.keys(benches)) {
    if (!Object.hasOwn(benches, name)) throw new Error(`no bench ${name}: there is ${Object.keys(benches).join(', ')}`)
    let count = 0
    const counted: typeof report = (measures) => {
      count += measures.length
      report(measures)
    }
    await benches[name as keyof typeof benches](counted, only, isQuick, sizes)
    if (count === 0) throw new Error(`${name} has no part named ${only.join(' or ')}: see bench/src/${name}`)
  }
} catch (error) {
  say(error instanceof Error ? (error.stack ?? error.message) : String(error))
  process.exitCode = 1
}
