/** Measures the service beside the bare tools it is made of: `npm run bench -- service`. */
import { benchImages } from './images/bench-images.ts'
import { benchOffice } from './office/bench-office.ts'
import { report, say } from './parts/measure.ts'
import { benchService } from './service/bench-service.ts'
import { benchTargetSize } from './target-size/bench-target-size.ts'
import { benchVideo } from './video/bench-video.ts'

const benches = {
  images: benchImages,
  office: benchOffice,
  service: benchService,
  'target-size': benchTargetSize,
  video: benchVideo,
}
const words = process.argv.slice(2)
const names = words.filter((word) => !word.startsWith('--'))
// --only=latency,small runs some parts of a bench.
const only = words.flatMap((word) => (word.startsWith('--only=') ? word.slice('--only='.length).split(',') : []))
// --quick takes few and short files: it shows that a bench works, not how good the figures are.
const isQuick = words.includes('--quick')

try {
  for (const name of names.length > 0 ? names : Object.keys(benches)) {
    if (!Object.hasOwn(benches, name)) throw new Error(`no bench ${name}: there is ${Object.keys(benches).join(', ')}`)
    await benches[name as keyof typeof benches](report, only, isQuick)
  }
} catch (error) {
  say(error instanceof Error ? (error.stack ?? error.message) : String(error))
  process.exitCode = 1
}
