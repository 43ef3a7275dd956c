import { type Failure, failure, isFailure } from '@lathe/domain'
import type { Ability, Engine, Plan, ProcessStep, StepExit, Tolerated } from '../engine.ts'
import { enumOption, integerOption } from '../option-descriptor.ts'
import { checkOneSource, type OptionsOf } from '../plan-options.ts'
import { dicomStepLimits, dicomLimits as limits } from './limits.ts'
import { damaged, probeStep, readScan, type Scan } from './probe.ts'
import { dicomTool } from './tool.ts'

/** The arguments for each output format, and the extension DCMTK uses for files of several frames. */
const writers: Readonly<Record<string, { readonly args: readonly string[]; readonly ext: string }>> = {
  // Omits the program name and the time from the file.
  png: { args: ['--write-png', '--nointerlace', '--meta-none'], ext: 'png' },
  jpg: { args: ['--write-jpeg'], ext: 'jpg' },
  tiff: { args: ['--write-tiff'], ext: 'tif' },
  bmp: { args: ['--write-bmp'], ext: 'bmp' },
}

const windowOption = enumOption(
  { name: 'window', label: 'Window', hint: 'Which values of a gray image become black and white.' },
  {
    auto: 'Window stored in the file. If there is none, from the lowest to the highest value.',
    'min-max': 'From the lowest to the highest value of the image',
  },
  'auto',
)
const frame = integerOption(
  {
    name: 'frame',
    label: 'Frame',
    hint: 'Number of the frame to convert, from 1. Default: all frames, each as a file.',
  },
  { min: 1, max: 1_000_000 },
)
const quality = integerOption(
  { name: 'quality', label: 'Quality', hint: 'Higher values look better and make larger files.' },
  { min: 1, max: 100, byDefault: 90 },
)

// Pairs with the same options share one list, because lists are compared by identity.
const usual = [windowOption, frame]
const lossy = [windowOption, frame, quality]

const abilities = Object.keys(writers).map(
  (to) => ({ operation: 'convert', from: 'dcm', to, options: to === 'jpg' ? lossy : usual }) satisfies Ability,
)

/** Converts medical images with DCMTK. Names and other metadata are omitted; overlays are not drawn. */
export const dicom: Engine = {
  id: 'dicom',
  family: 'image',
  tools: [dicomTool],
  cost: { startS: 0.3, perMiBS: 0.3 },
  abilities,

  plan(request) {
    const checked = checkOneSource(abilities, request)
    if (isFailure(checked)) return checked
    const { source, effective, warnings } = checked
    const job = { file: source.file, to: request.to, options: effective }
    return {
      kind: 'plan',
      steps: [probeStep(source.file)],
      outputs: [{ file: `out-0.${request.to}`, format: request.to, source: 0 }],
      warnings,
      next: ({ stdout }) => {
        const scan = readScan(stdout[0] ?? '')
        return isFailure(scan) ? scan : planFrames(job, scan)
      },
    }
  },
}

interface Job {
  readonly file: string
  readonly to: string
  readonly options: OptionsOf<typeof abilities>
}

const textsDrawn =
  'The file says that texts, such as names, are drawn into the image. They are still there: look at it before you share it.'
const textsUnknown =
  'Names in the data of the file were left out. Some devices also draw them into the image: look at it before you share it.'

function planFrames(job: Job, { frames, pixels, hasTexts }: Scan): Plan | Failure {
  const wanted = job.options.frame
  if (wanted !== undefined && wanted > frames) {
    return failure('unsupported', { text: `There is no frame ${wanted} in the file: it holds ${frames}.` })
  }
  if (wanted === undefined && frames > limits.frames) {
    const text = `The file holds ${frames} frames. The limit is ${limits.frames.toLocaleString('en')}. Choose one with the option frame.`
    return failure('limit_exceeded', { text })
  }
  const warnings = hasTexts === false ? [] : [hasTexts ? textsDrawn : textsUnknown]
  const isOne = wanted !== undefined || frames === 1
  const runs = isOne ? [{ first: wanted ?? 1, count: 1 }] : toRuns(frames, pixels)
  const file = isOne ? `out-0.${job.to}` : `out-0.f*.${writers[job.to]?.ext ?? job.to}`
  const plan: Plan = { kind: 'plan', steps: [], outputs: [{ file, format: job.to, source: 0 }], warnings: [] }
  const steps = (how: Window) => runs.map((run) => drawStep(job, { ...run, isOne, how }))
  if (job.options.window === 'min-max') return { ...plan, steps: steps('min-max'), warnings }
  return {
    ...plan,
    steps: steps('file'),
    warnings,
    // Only an attempt to use the file's window shows that it has none.
    next: ({ failed }) => (failed?.includes(true) ? { ...plan, steps: steps('min-max') } : plan),
  }
}

/** Splits frames into runs that are small enough for memory. */
function toRuns(frames: number, pixels: number): readonly { first: number; count: number }[] {
  const most = Math.max(1, Math.floor(limits.runPixels / Math.max(1, pixels)))
  return Array.from({ length: Math.ceil(frames / most) }, (_, n) => ({
    first: n * most + 1,
    count: Math.min(most, frames - n * most),
  }))
}

type Window = 'file' | 'min-max'

interface Run {
  readonly first: number
  readonly count: number
  /** Whether the output name is used as given; DCMTK otherwise appends frame number and extension. */
  readonly isOne: boolean
  readonly how: Window
}

function drawStep({ file, to, options }: Job, { first, count, isOne, how }: Run): ProcessStep {
  const out = isOne ? `out-0.${to}` : 'out-0'
  const frames = isOne ? ['+F', String(first)] : ['+Fr', String(first), String(count), '+Fn']
  return {
    kind: 'process',
    profile: dicomTool.name,
    program: 'dcm2img',
    args: [
      ...['--no-overlays', ...frames, ...(how === 'file' ? ['+Wi', '1'] : ['+Wm'])],
      ...(writers[to]?.args ?? []),
      ...(to === 'jpg' ? ['+Jq', String(options.quality ?? 90)] : []),
      ...[file, out],
    ],
    outputs: how === 'file' || !isOne ? [] : [out],
    limits: dicomStepLimits,
    readExit,
  }
}

function readExit(exit: StepExit): Failure | Tolerated | undefined {
  return /cannot select VOI window/.test(exit.stderr) ? { hasFailed: true } : damaged(exit)
}
