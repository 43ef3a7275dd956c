import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** The results of a long run as JSON lines, so that it can be resumed after any of them. */
export interface KeptLines<Line> {
  readonly before: readonly Line[]
  add(line: Line): Promise<void>
}

interface Resuming<Line> {
  readonly isResumed: boolean
  /** Lines that are not done are dropped, so that a resumed run tries them again: the cause may be fixed by now. */
  isDone(line: Line): boolean
}

export async function openKeptLines<Line>(
  path: string,
  { isResumed, isDone }: Resuming<Line>,
): Promise<KeptLines<Line>> {
  await mkdir(dirname(path), { recursive: true })
  const text = isResumed ? await readFile(path, 'utf8').catch(() => '') : ''
  const before = text
    .split('\n')
    .flatMap(parse<Line>)
    .filter(isDone)
  await writeFile(path, before.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return { before, add: (line) => appendFile(path, `${JSON.stringify(line)}\n`) }
}

// An interrupted run may have left half a line.
function parse<Line>(line: string): readonly Line[] {
  try {
    return line === '' ? [] : [JSON.parse(line) as Line]
  } catch {
    return []
  }
}

/** The progress of a long run: `[3/90, 12 min left]`. */
export function createProgress(total: number): () => string {
  const started = performance.now()
  let count = 0
  return () => {
    count += 1
    const leftMs = ((performance.now() - started) / count) * (total - count)
    return `[${count}/${total}, ${Math.ceil(leftMs / 60_000)} min left]`
  }
}
