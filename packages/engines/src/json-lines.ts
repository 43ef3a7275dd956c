type Fields = Readonly<Record<string, unknown>>

/**
 * The objects that one of Lathe's scripts printed, one per line. Other lines are skipped: a script under an attacker's
 * control can print anything.
 */
export function readJsonLines(stdout: readonly string[]): readonly Fields[] {
  const lines = stdout.flatMap((text) => text.split('\n')).filter((line) => line.startsWith('{'))
  return lines.map(parse).filter((fields) => fields !== undefined)
}

/** A value of such a line if it is a string, otherwise the empty string. */
export function wordIn(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function parse(line: string): Fields | undefined {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
