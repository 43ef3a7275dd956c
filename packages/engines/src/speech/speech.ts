import { type Failure, failure, isFailure } from '@lathe/domain'
import { ended } from '../alongside.ts'
import type { Ability, Engine, Findings, Plan, ProcessStep } from '../engine.ts'
import { readJsonLines } from '../json-lines.ts'
import { readable } from '../media/containers.ts'
import { enumOption } from '../option-descriptor.ts'
import { checkOneSource } from '../plan-options.ts'
import { strict as strictOption } from '../strict-option.ts'
import { recognizeLimits, speechLimits } from './limits.ts'
import { samplesStep, secondsOf } from './samples-step.ts'
import { speechScript } from './speech-script.ts'
import { speechTool } from './tool.ts'
import { transcriptScript } from './transcript-script.ts'

/** The name of PocketSphinx's model for each language. */
const models: Readonly<Record<string, string>> = { 'en-US': 'en-us' }

const languageOption = enumOption(
  { name: 'language', label: 'Language', hint: 'The language that is spoken.' },
  { 'en-US': 'English, United States' },
  'en-US',
)

const options = [languageOption, strictOption]

/** All recordings except animations, which are silent, and MIDI files, which contain no audio. */
const sources = Object.entries(readable).flatMap(([ext, { kind }]) =>
  kind === 'animation' || ext === 'mid' ? [] : [ext],
)
const targets = ['txt', 'srt', 'vtt', 'json'] as const

const abilities = sources.flatMap((from) =>
  targets.map((to) => ({ operation: 'transcribe', from, to, options }) satisfies Ability),
)

const expectErrors =
  'The words were recognized by a small model that works offline. Expect errors: it is best at clear US English speech without music or noise.'
const noSpeech = 'No speech was recognized, so the transcript is empty.'
const samples = 'speech-0.raw'

/** Speech to text by PocketSphinx. */
export const speech: Engine = {
  id: 'speech',
  family: 'av',
  tools: [speechTool],
  // A minute of speech is half a MiB to a MiB.
  cost: { startS: 3, perMiBS: 60, from: { video: { startS: 3, perMiBS: 10 } } },
  abilities,

  plan(request) {
    const checked = checkOneSource(abilities, request)
    if (isFailure(checked)) return checked
    const { source, warnings } = checked
    const { language = 'en-US', strict = false } = checked.effective
    const outputs = [{ file: `out-0.${request.to}`, format: request.to, source: 0 }]
    return {
      kind: 'plan',
      steps: [samplesStep(source, samples, strict)],
      outputs,
      warnings: [...warnings, expectErrors],
      next: ({ sizes }) => planWords(sizes[samples] ?? 0, language, outputs),
    }
  },
}

function planWords(bytes: number, spoken: string, outputs: Plan['outputs']): Plan | Failure {
  const seconds = secondsOf(bytes)
  if (seconds > speechLimits.seconds) {
    const hours = speechLimits.seconds / 3600
    const text = `The recording is longer than ${hours} hours, which is the limit. Split it and transcribe the parts.`
    return failure('limit_exceeded', { text })
  }
  const next = ({ stdout }: Findings) => {
    const isEmpty = readJsonLines(stdout).some(({ words }) => words === 0)
    return ended(outputs, isEmpty ? [noSpeech] : [])
  }
  return { kind: 'plan', steps: [wordsStep(seconds, spoken, outputs[0]?.file ?? '')], outputs, warnings: [], next }
}

function wordsStep(seconds: number, spoken: string, out: string): ProcessStep {
  const model = models[spoken] ?? models['en-US'] ?? ''
  return {
    kind: 'process',
    profile: speechTool.name,
    program: 'python3',
    args: ['speech.py', samples, model, spoken, out],
    modules: { speech: speechScript, transcript: transcriptScript },
    outputs: [out],
    limits: recognizeLimits(seconds),
    capture: true,
    readProgress: shareDone,
  }
}

// A line such as `done 0.25`.
function shareDone(line: string): number | undefined {
  const share = /^done ([01]\.\d{1,4})$/.exec(line)?.[1]
  return share === undefined ? undefined : Math.min(Number(share), 1)
}
