import type { ProcessStep } from '../engine.ts'
import { importLimits } from '../pages/limits.ts'
import { processStep } from '../pages/process-step.ts'

// LibreOffice reads a PDF with this helper program, which writes one line for each drawn object.
const reader = '/usr/lib/libreoffice/program/xpdfimport'
const drawings = '^(fillPath|eoFillPath|strokePath|drawImage|drawMask|drawMaskedImage|drawSoftMaskedImage)'
const texts = '^drawChar'

// The exit code of the reader must get past the pipe. Without the memory limit here, running out would end the task.
const weigh = `ulimit -v ${importLimits.readKiB}
{ { timeout ${importLimits.readSeconds} ${reader} -f /dev/null "$1" none </dev/null 2>/dev/null
    echo "reading: $?" >&3; } | grep -aoE '${drawings}|${texts}' | sort | uniq -c; } 3>&1
exit 0
`

/** Counts what LibreOffice would have to place if it read a PDF; `readWeight` reads the output. */
export function weighStep(file: string): ProcessStep {
  return processStep('sh', ['weigh.sh', file], {
    out: file,
    writes: [{ file: 'weigh.sh', text: weigh }],
    capture: true,
    weight: 0.1,
  })
}

/** Why a PDF is too heavy for LibreOffice, or undefined if it is not. */
export function readWeight(stdout: string): 'endless' | 'drawings' | 'text' | undefined {
  // 124: `timeout` stopped it. Above 124: it crashed. LibreOffice would do no better.
  if (Number(/^reading: (\d+)$/m.exec(stdout)?.[1] ?? 0) >= 124) return 'endless'
  const counts = [...stdout.matchAll(/^ *(\d+) (\w+)$/gm)].map(([, count, what]) => ({ count: Number(count), what }))
  const sum = (isWanted: (what: string | undefined) => boolean) =>
    counts.filter(({ what }) => isWanted(what)).reduce((total, { count }) => total + count, 0)
  if (sum((what) => what !== 'drawChar') > importLimits.drawings) return 'drawings'
  return sum((what) => what === 'drawChar') > importLimits.characters ? 'text' : undefined
}
