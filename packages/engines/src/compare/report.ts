import { type Failure, failure } from '@lathe/domain'
import type { JsonObject, Plan, ProcessStep, StepExit } from '../engine.ts'
import { compareLimits, compareStepLimits } from './limits.ts'
import { reportScript } from './report-script.ts'
import { compareTool } from './tool.ts'

const out = 'out-0.json'

/** Plans the report: the facts about the pages, and the differences between two texts if there are any. */
export function reportPlan(facts: JsonObject, texts: readonly string[]): Plan {
  const { lines, changes } = compareLimits
  const step: ProcessStep = {
    kind: 'process',
    profile: compareTool.name,
    program: 'python3',
    args: ['report.py'],
    modules: { report: reportScript },
    writes: [{ file: 'report.json', text: JSON.stringify({ facts, texts, out, lines, changes }) }],
    outputs: [out],
    limits: compareStepLimits,
    readExit,
  }
  return { kind: 'plan', steps: [step], outputs: [{ file: out, format: 'json', source: 0 }], warnings: [] }
}

function readExit({ code, stderr }: StepExit): Failure | undefined {
  if (code !== 3) return undefined
  const text = `A text has more than ${compareLimits.lines.toLocaleString('en')} lines, which is the limit. Split both.`
  return failure('limit_exceeded', { text, detail: stderr })
}
