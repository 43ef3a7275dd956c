import { type DisabledFormat, explainDisabled, type FieldError, findDisabled } from '@lathe/domain'
import { isProcessing, usualOutput } from '@lathe/operations'
import { writtenFormat } from './check-job-graph.ts'
import type { ParsedTask } from './parsed.ts'
import { join } from './path.ts'

/**
 * Refuses what administrators have disabled, as far as the formats are known now. Formats of files that arrive later
 * are checked when their task runs. `path` is the place of the task in the request.
 */
export function checkDisabled(
  tasks: readonly ParsedTask[],
  rules: readonly DisabledFormat[],
  path: (task: ParsedTask) => string = () => '',
): FieldError[] {
  if (rules.length === 0) return []
  const byName = new Map(tasks.map((task) => [task.name, task]))
  return tasks.flatMap((task) => {
    const { operation } = task
    if (!isProcessing(operation)) return []
    const { input_format: given, output_format: wanted } = task.parameters
    const chained = task.inputs.map((input) => writtenFormat(input.kind === 'sibling' && byName.get(input.value)))
    const sources = typeof given === 'string' ? [given] : chained.length > 0 ? chained : [undefined]
    const rule = sources
      .map((from) =>
        findDisabled(rules, { from, to: typeof wanted === 'string' ? wanted : usualOutput(operation, from) }),
      )
      .find((found) => found !== undefined)
    if (!rule) return []
    const field =
      rule.output !== null && wanted !== undefined ? 'output_format' : given === undefined ? 'input' : 'input_format'
    return [{ path: join(path(task), field), code: 'unsupported', msg: explainDisabled(rule) }]
  })
}
