import type { Suite } from '../ci/suite.ts'

export interface NightOptions {
  readonly seed: string
  /** 1 is a night on two cores; 3 takes about three times as long. */
  readonly scale: number
  /** The folders of the collections of real files; none if they are not on this machine. */
  readonly collections: readonly string[]
  /** The integration tests of the engines. */
  readonly engineFiles: readonly string[]
  /** Continues the suites that keep their results. */
  readonly isResumed: boolean
}

/** A suite of the night. */
export interface NightSuite extends Suite {
  /** Compares how long requests take, so nothing else may run. */
  readonly isAlone?: boolean
}

/**
 * What takes too long for every change, in amounts for one night. The first of each kind takes longest. The commands can
 * do more, up to everything: CONTRIBUTING.md.
 */
export function planNightly(options: NightOptions): readonly NightSuite[] {
  const { seed, scale, collections, engineFiles, isResumed } = options
  const times = (amount: number) => String(Math.max(1, Math.round(amount * scale)))
  const seeded = `--seed=${seed}`
  // The results of these are kept as they come.
  const kept = isResumed ? ['--resume'] : []
  const base = { isPatient: true, needsRoot: true, limitS: Math.round(2400 * Math.max(1, scale)) }
  const waiting = { ...base, isPatient: false }
  const harness = (name: string, ...words: string[]) => ({ program: ['node', `e2e/src/${name}/main.ts`, ...words] })

  const corpus: NightSuite = {
    ...base,
    name: 'corpus',
    command: harness('corpus', `--sample=${times(450)}`, '--targets=1', seeded, ...kept, ...collections),
  }
  return [
    ...(collections.length > 0 ? [corpus] : []),
    { ...base, name: 'engines', command: { vitest: ['--project', 'int'], files: engineFiles } },
    { ...base, name: 'mutants', command: harness('mutants', `--count=${times(30)}`, seeded) },
    { ...base, name: 'soak', command: harness('soak', `--count=${times(160)}`, seeded) },
    { ...base, name: 'matrix', command: harness('matrix', `--sample=${times(150)}`, seeded, ...kept) },
    {
      ...base,
      name: 'fidelity',
      command: harness('fidelity', `--sample=${times(80)}`, `--service=${times(16)}`, seeded),
    },
    { ...waiting, name: 'chaos', command: { vitest: ['--project', 'chaos'], files: [] } },
    {
      ...waiting,
      name: 'proof',
      command: harness('proof', `--tasks=${times(2000)}`, `--faults=${times(100)}`, '--scale=0.1', seeded, ...kept),
    },
    { ...waiting, name: 'events', command: harness('events-proof', `--jobs=${times(240)}`, seeded) },
    { ...waiting, name: 'transfers', command: harness('transfers', `--size=${times(64)}MB`) },
    { ...waiting, name: 'upgrade', command: harness('upgrade', '--quick', `--seconds=${times(12)}`) },
    // With CI=true it would be small.
    {
      ...waiting,
      name: 'abuse',
      isAlone: true,
      command: { program: ['env', '--unset=CI', 'node', 'e2e/src/abuse/main.ts', seeded] },
    },
  ]
}
