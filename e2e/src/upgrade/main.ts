/**
 * Runs the previous release and this one next to each other on the schema of this one, and replaces every process from
 * old to new and back under load: `npm run upgrade-rehearsal -- --from=v1.0.0`. `--quick` is a small version for CI,
 * which does not judge times and may run without a release tag.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { openPlanBench, startStack } from '@lathe/testing'
import { conclude, readNumber, readWords } from '../command.ts'
import { findEndFaults } from '../proving/end-faults.ts'
import { startBalancer } from './balancer.ts'
import { type Book, createBook } from './book.ts'
import { checkOut } from './check-out.ts'
import { findBeforeNewestMigration, findNewestTag, findRelease, type Release } from './find-release.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { startLoad, tasksOfJob } from './load.ts'
import { report } from './report.ts'
import { planSteps, type Step } from './steps.ts'

const words = readWords(['from', 'seconds', 'rate', 'videos'], ['quick'])
const isQuick = words.quick === true
const usual = isQuick
  ? { holdS: 4, rate: 6, videoS: 2, warmUpMs: 2_000 }
  : { holdS: 20, rate: 20, videoS: 6, warmUpMs: 10_000 }
const sizes = {
  holdS: readNumber(words.seconds, usual.holdS),
  tasksPerSecond: readNumber(words.rate, usual.rate),
  videosAtOnce: readNumber(words.videos, 1),
  videoS: usual.videoS,
  warmUpMs: usual.warmUpMs,
}
const mostBehindS = 10
const tooSlow = `This machine is too slow or too busy for ${sizes.tasksPerSecond} tasks a second (--rate)`
const release = words.from
  ? findRelease(words.from)
  : (findNewestTag() ?? (isQuick ? findBeforeNewestMigration() : undefined))

if (!release) without()
else await rehearse(release)

/** A clone may lack earlier commits. */
function without(): void {
  const example = findBeforeNewestMigration()
  const hint = example ? `, for example --from=${example.commit}` : ''
  if (words.from) fail(`This clone has no commit ${words.from}: fetch it, or name another with --from=<git ref>`)
  else if (isQuick) skip('this clone has no earlier commit')
  else fail(`No release tag (v*) is reachable: name the previous release with --from=<git ref>${hint}`)
}

function fail(why: string): void {
  console.log(why)
  conclude(0, 1)
}

function skip(why: string): void {
  console.log(`upgrade rehearsal: skipped because ${why}`)
  conclude(0, 0)
}

async function makeVideo(seconds: number): Promise<Buffer> {
  await using bench = await openPlanBench()
  const source = ['-f', 'lavfi', '-i', `testsrc2=size=640x360:rate=25:duration=${seconds}`]
  const args = ['-v', 'error', ...source, '-c:v', 'mpeg2video', '-q:v', '6', 'video.mkv']
  const { end, outputs } = await bench.tool('ffmpeg', args, { outputs: ['video.mkv'] })
  return outputs['video.mkv'] ?? Promise.reject(new Error(`the video was not made: ${JSON.stringify(end)}`))
}

async function rehearse(previous: Release): Promise<void> {
  using old = checkOut(previous, { mayInstall: !isQuick })
  if (!old) return skip(`the libraries of ${previous.name} are others, and installing them takes too long`)
  console.log(`previous release: ${previous.name} (${previous.commit})`)
  console.log(old.sharesModules ? 'its libraries are those of this checkout' : 'its libraries were installed for it')
  const video = await makeVideo(sizes.videoS)
  await using balancer = await startBalancer()
  await using stack = await startStack({ apis: 0, workers: 0, schedulers: 0, storage: 'disk' })
  const { versions, counts, steps } = planSteps({ isQuick, holdS: sizes.holdS })
  const fleet = await startFleet({ stack, balancer, oldFolder: old.folder, versions, counts })
  const [images, videos] = [await stack.createKey({ slots: 100 }), await stack.createKey({ slots: 4 })]
  const keys = { images: images.key, videos: videos.key }
  const book = createBook()
  // Engines start with the first tasks.
  book.turnTo('first tasks', 'warm-up')
  const load = await startLoad({ url: balancer.url, keys, video, book, ...sizes })
  await pause(sizes.warmUpMs)
  const brokenOff = await runSteps(steps, fleet, book)
  await load.stop()
  const faults = [...brokenOff, ...fleet.faults, ...(await findEndFaults(stack))]
  if (faults.length > 0) console.log(stack.tails(5))
  report({ phases: book.phases, faults, judgesTime: !isQuick })
}

/** Runs all phases, unless one release alone cannot keep up: then later phases tell nothing about upgrades. */
async function runSteps(steps: readonly Step[], fleet: Fleet, book: Book): Promise<readonly string[]> {
  const mostOpen = (sizes.tasksPerSecond / tasksOfJob) * mostBehindS
  for (const { name, kind, holdMs, roll } of steps) {
    console.log(name)
    book.turnTo(name, kind)
    if (roll) await fleet.roll(roll.apps, roll.to)
    await pause(holdMs)
    if (!isQuick && kind === 'solo' && book.open > mostOpen) return [`${name}: ${book.open} jobs are open. ${tooSlow}`]
  }
  return []
}
