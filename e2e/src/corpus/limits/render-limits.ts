import { allLimits } from '../../../../scripts/generate/limits/all-limits.ts'
import type { Amount, Limit } from '../../../../scripts/generate/limits/limit.ts'
import type { Extremes, Measured } from './largest.ts'

/** How close the largest real file comes to each limit, and which limits cannot be compared with files. */
export function renderLimits(measured: Measured): string {
  const limits = allLimits.flatMap((group) => group.limits)
  const rows = limits.flatMap((limit) =>
    typeof limit.real === 'string' ? [measuredRow(limit, measured[limit.real])] : [],
  )
  const others = Map.groupBy(
    limits.flatMap(({ real, name }) =>
      typeof real === 'string' ? [] : [{ reason: real.reason, name: name.split(':')[0] }],
    ),
    ({ reason }) => reason,
  )
  const reasons = [...others].map(
    ([reason, own]) => `| ${reason} | ${[...new Set(own.map(({ name }) => name))].join('; ')} |`,
  )
  return [
    ['| limit | allowed | largest | file | share | beyond it |', '|---|---|---|---|---|---|', ...rows].join('\n'),
    'Not measured:',
    ['| why | limits |', '|---|---|', ...reasons].join('\n'),
  ].join('\n\n')
}

function measuredRow({ name, value }: Limit, found: Extremes | undefined): string {
  const { largest, beyond } = found ?? { beyond: [] }
  const cells = largest
    ? [
        readable(largest.value, value.unit),
        inLine(largest.file),
        `${((largest.value / value.number) * 100).toFixed(1)} %`,
      ]
    : ['no such file', '', '']
  const others = beyond.map((one) => `${inLine(one.file)} (${readable(one.value, value.unit)})`)
  return `| ${[name, value.text, ...cells, others.join('; ')].join(' | ')} |`
}

function readable(value: number, unit: Amount['unit']): string {
  if (unit === 'bytes')
    return value < 1024 ** 2 ? `${Math.ceil(value / 1024)} KiB` : `${(value / 1024 ** 2).toFixed(1)} MiB`
  if (unit === 'count') return value.toLocaleString('en', { maximumFractionDigits: value < 1000 ? 1 : 0 })
  if (value < 60) return `${value.toFixed(1)} seconds`
  return value < 3600 ? `${(value / 60).toFixed(1)} minutes` : `${(value / 3600).toFixed(1)} hours`
}

// File names may contain anything; a table cell holds one plain line.
function inLine(text: string): string {
  return text.replaceAll(/[\s|<>]+/g, ' ').trim()
}
