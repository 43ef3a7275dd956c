import type { PlanBench } from '@lathe/testing'
import type { Facts, Given } from '../inspect/facts.ts'
import { distance } from '../inspect/fingerprint.ts'
import { inspect } from '../inspect/inspect.ts'
import { look, read } from '../inspect/look.ts'
import { hearTone } from '../inspect/open-media.ts'
import type { Expected, Golden, Recorded } from './golden.ts'
import type { Made } from './make.ts'

/** The judgment of a result: its facts, and everything that is wrong. */
export interface Verdict {
  readonly seen: Recorded
  readonly faults: readonly string[]
}

/** How many of 128 bits may differ: another encoder changes up to 5, another image about 60. */
const looksAlike = 10
/** Tolerances: a video frame at 24 per second, and the audio that codecs add in front: AAC 1,024 samples, MP3 1,105. */
const oneFrameMs = 42
const soundFrameMs = 60

/** Compares a result with the expectation from its input, and with the record. */
export async function judge(bench: PlanBench, golden: Golden, made: Made, recorded?: Recorded): Promise<Verdict> {
  const { expected } = golden
  const [bytes] = made.files
  if (!bytes) throw new Error('nothing came out')
  const given: Given = { format: golden.to, bytes, ...(expected.password && { password: expected.password }) }
  const facts = await inspect(bench, given)
  const fingerprint = await look(bench, given)
  const seen = { ...facts, ...(fingerprint && { fingerprint }) }
  const faults = [
    ...(made.files.length === (expected.files ?? 1) ? [] : [`${made.files.length} files came out`]),
    ...compare(facts, expected, 'expected'),
    ...(recorded ? compare(facts, recorded, 'recorded') : []),
    ...compareLooks(fingerprint, recorded),
    ...(await compareWords(bench, given, expected)),
    ...(await compareSound(bench, given, expected, made)),
  ]
  return { seen, faults }
}

const compared = [
  'width',
  'height',
  'pages',
  'durationMs',
  'frameRate',
  'videoCodec',
  'audioCodec',
  'sampleRate',
  'channels',
] as const

function compare(facts: Facts, wanted: Partial<Facts>, as: string): readonly string[] {
  return compared.flatMap((name) => {
    if (wanted[name] === undefined || isNear(name, facts, wanted[name])) return []
    return [`${name} is ${facts[name]}, ${as} ${wanted[name]}`]
  })
}

function isNear(name: (typeof compared)[number], facts: Facts, wanted: number | string): boolean {
  const value = facts[name]
  if (typeof value !== 'number' || typeof wanted !== 'number') return value === wanted
  return Math.abs(value - wanted) <= toleranceOf(name, facts)
}

function toleranceOf(name: string, { format, videoCodec }: Facts): number {
  if (name === 'durationMs') return videoCodec ? oneFrameMs : soundFrameMs
  if (name === 'frameRate') return 0.02
  // Pages are measured in points, which programs round to one to three digits.
  return format === 'pdf' && (name === 'width' || name === 'height') ? 0.6 : 0
}

function compareLooks(seen: string | undefined, recorded?: Recorded): readonly string[] {
  if (!recorded || recorded.fingerprint === seen) return []
  if (seen === undefined || recorded.fingerprint === undefined) return ['it can be looked at now, or no longer']
  const apart = distance(seen, recorded.fingerprint)
  return apart <= looksAlike ? [] : [`it looks different: ${apart} of 128 bits`]
}

async function compareWords(
  bench: PlanBench,
  given: Given,
  { says = [], lacks = [] }: Expected,
): Promise<readonly string[]> {
  if (says.length + lacks.length === 0) return []
  const text = await read(bench, given)
  return [
    ...says.filter((words) => !text.includes(words)).map((words) => `it does not say "${words}"`),
    ...lacks.filter((words) => text.includes(words)).map((words) => `it says "${words}"`),
  ]
}

async function compareSound(
  bench: PlanBench,
  given: Given,
  { pitchHz, gain }: Expected,
  { input }: Made,
): Promise<readonly string[]> {
  if (pitchHz === undefined) return []
  const heard = await hearTone(bench, given)
  const faults = Math.abs(heard.pitchHz - pitchHz) > 4 ? [`its pitch is ${heard.pitchHz} Hz, not ${pitchHz}`] : []
  if (gain === undefined) return faults
  const before = await hearTone(bench, input)
  const louder = heard.loudness / before.loudness
  return Math.abs(louder / gain - 1) > 0.06 ? [...faults, `it is ${louder} times as loud, not ${gain}`] : faults
}
