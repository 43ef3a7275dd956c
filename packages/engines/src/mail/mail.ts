import { failure, isFailure } from '@lathe/domain'
import type { Ability, Engine, Plan } from '../engine.ts'
import { mailPrintLimits } from '../markup/mail-limits.ts'
import { checkOneSource } from '../plan-options.ts'
import { printStep } from '../printing/print.ts'
import { mailStep } from './mail-step.ts'
import { mailMargin, optionsByOutput } from './options.ts'
import { readReport } from './report.ts'

const kinds = ['eml', 'mbox', 'msg'] as const
const targets = ['pdf', 'html', 'txt'] as const

const abilities = kinds.flatMap((from) =>
  targets.map((to) => ({ operation: 'convert', from, to, options: optionsByOutput[to] }) satisfies Ability),
)

/** Mail: messages and mailboxes with their headers, bodies, images and attachments. */
export const mail: Engine = {
  id: 'mail',
  family: 'browser',
  tools: [],
  cost: { startS: 1.5, perMiBS: 0.5 },
  abilities,

  plan(request) {
    const checked = checkOneSource(abilities, request)
    if (isFailure(checked)) return checked
    const { source } = checked
    const kind = kinds.find((one) => one === source.format)
    if (kind === undefined) return failure('unsupported')
    const { to } = request
    const options = checked.effective
    const file = `out-0.${to}`
    const page = to === 'pdf' ? 'page.html' : file
    const step = mailStep({
      kind,
      input: source.file,
      output: page,
      text: to === 'txt',
      attachments: options.attachments ?? false,
    })
    const main = { file, format: to, source: 0 }
    const next: Plan['next'] = ({ stdout }) => {
      const { outputs, warnings } = readReport(stdout, to !== 'txt')
      const printed = { ...options, margin: options.margin ?? mailMargin }
      const steps = to === 'pdf' ? [printStep(page, file, printed, mailPrintLimits)] : []
      return { kind: 'plan', steps, outputs: [main, ...outputs], warnings }
    }
    return { kind: 'plan', steps: [step], outputs: [main], warnings: checked.warnings, next }
  },
}
