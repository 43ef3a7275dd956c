import type { ProcessStep } from '../engine.ts'
import { importLimits } from '../pages/limits.ts'
import { processStep } from '../pages/process-step.ts'

// LibreOffice reads a PDF through this program of its own, which writes one line for each thing that is drawn.
const reader = '/usr/lib/libreoffice/program/xpdfimport'
const drawings = '^(fillPath|eoFillPath|strokePath|drawImage|drawMask|drawMaskedImage|drawSoftMaskedImage)'
const texts = '^drawChar'

// How the reader ended must get past the pipe. Without a limit of its own, a want of memory would end the task.
const weigh = `ulimit -v ${importLimits.readKiB}
{ { timeout ${importLimits.readSeconds} ${reader} -f /dev/null "$1" none </dev/null 2>/dev/null
    echo "reading: $?" >&3; } | grep -aoE '${drawings}|${texts}' | sort | uniq -c; } 3>&1
exit 0
`

/** Counts what LibreOffice would have to place if it read a PDF; `readWeight` reads the answer. */
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
  // 124: `timeout` stopped it; above, it broke. LibreOffice would fare no better.
  if (Number(/^reading: (\d+)$/m.exec(stdout)?.[1] ?? 0) >= 124) return 'endless'
  const counts = [...stdout.matchAll(/^ *(\d+) (\w+)$/gm)].map(([, count, what]) => ({ count: Number(count), what }))
  const sum = (isWanted: (what: string | undefined) => boolean) =>
    counts.filter(({ what }) => isWanted(what)).reduce((total, { count }) => total + count, 0)
  if (sum((what) => what !== 'drawChar') > importLimits.drawings) return 'drawings'
  return sum((what) => what === 'drawChar') > importLimits.characters ? 'text' : undefined
}
