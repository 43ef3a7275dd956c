/** A command of the palette. */
export interface Command {
  readonly id: string
  readonly group: 'pages' | 'jobs' | 'actions'
  readonly label: string
  /** Shown after the label, and searched as well. */
  readonly note?: string
  run(): void
}

/** The commands that contain every typed word, those whose label starts with it first. */
export function matchCommands(commands: readonly Command[], typed: string): readonly Command[] {
  const words = plain(typed).split(/\s+/).filter(Boolean)
  const matching = commands.filter(({ label, note = '' }) => {
    const text = plain(`${label} ${note}`)
    return words.every((word) => text.includes(word))
  })
  if (words.length === 0) return matching
  const [begins, others] = [matching.filter((one) => rank(one) === 0), matching.filter((one) => rank(one) === 1)]
  return [...begins, ...others]

  function rank({ label }: Command): number {
    return plain(label).startsWith(words[0] ?? '') ? 0 : 1
  }
}

/** Lower case without accents, so that `reglages` finds `Réglages`. */
function plain(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
