/** The number of known vulnerabilities of one urgency, with or without a fix in Debian. */
export interface VulnerabilityCount {
  readonly urgency: 'high' | 'medium' | 'low' | 'unknown'
  readonly fix: 'available' | 'none'
  readonly count: number
}

const urgencies = ['high', 'medium', 'low', 'unknown'] as const
const line = /^(?<name>\S+) (?<package>\S+)(?: \((?<about>.*)\))?$/

/** Counts the lines of `debsecan --format summary`; every kind has a number, including 0. Throws on any other line. */
export function countVulnerabilities(text: string): readonly VulnerabilityCount[] {
  const found = text
    .split('\n')
    .filter((one) => one.trim() !== '')
    .map((one) => {
      const groups = line.exec(one)?.groups
      if (!groups) throw new Error(`debsecan said something else: ${one}`)
      const about = groups.about?.split(', ') ?? []
      const urgency = urgencies.find((name) => about.includes(`${name} urgency`)) ?? 'unknown'
      // Binary packages of one source package share a vulnerability.
      return { name: groups.name, urgency, fix: about.includes('fixed') ? 'available' : 'none' } as const
    })
  return urgencies.flatMap((urgency) =>
    (['available', 'none'] as const).map((fix) => {
      const names = found.filter((one) => one.urgency === urgency && one.fix === fix).map(({ name }) => name)
      return { urgency, fix, count: new Set(names).size }
    }),
  )
}
