type Fields = Readonly<Record<string, unknown>>

/** The objects a script of ours printed, one per line. A script in an attacker's hands prints anything: the rest is left out. */
export function readJsonLines(stdout: readonly string[]): readonly Fields[] {
  const lines = stdout.flatMap((text) => text.split('\n')).filter((line) => line.startsWith('{'))
  return lines.map(parse).filter((fields) => fields !== undefined)
}

/** A value of such a line that must be a string. */
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
