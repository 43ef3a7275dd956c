import { type Choice, engineFolders, type SuiteName } from './choose-suites.ts'
import { sampleFiles } from './sample-files.ts'
import type { Suite } from './suite.ts'

interface SuiteOptions {
  /** Takes other samples of long suites. */
  readonly seed: string
  /** All integration tests. */
  readonly intFiles: readonly string[]
  readonly changed: readonly string[]
}

// All of them take longer than everything else; `npm run nightly` runs all.
const sampledFolder = 'packages/engines/'
const engineSample = 28

/** The chosen suites, those that take longest first. One that no file is left of is not among them. */
export function makeSuites(choice: Choice, options: SuiteOptions): readonly Suite[] {
  const { intFiles, seed, changed } = options
  const within = (name: SuiteName) => {
    const folders = choice.get(name) ?? []
    return intFiles.filter((file) => folders.length === 0 || folders.some((folder) => isInside(file, folder)))
  }
  const engineFiles = within('engines').filter(runsEngines)
  const suites: readonly Suite[] = [
    {
      name: 'engines',
      isPatient: true,
      needsRoot: true,
      limitS: 2400,
      command: vitest('int', [
        ...sampleOf(
          engineFiles.filter((file) => file.startsWith(sampledFolder)),
          seed,
          changed,
        ),
        ...engineFiles.filter((file) => !file.startsWith(sampledFolder)),
      ]),
    },
    { name: 'attacks', isPatient: true, needsRoot: true, limitS: 2400, command: vitest('attacks') },
    { name: 'web', isPatient: false, needsRoot: true, limitS: 2100, command: vitest('web', choice.get('web')) },
    { name: 'e2e', isPatient: false, needsRoot: true, limitS: 1500, command: vitest('e2e') },
    {
      name: 'int',
      isPatient: false,
      needsRoot: false,
      limitS: 2400,
      command: vitest(
        'int',
        within('int').filter((file) => !runsEngines(file)),
      ),
    },
    { name: 'unit', isPatient: true, needsRoot: false, limitS: 900, command: vitest('unit') },
    {
      name: 'check',
      isPatient: true,
      needsRoot: false,
      limitS: 600,
      command: { program: ['node', 'scripts/check.ts'] },
    },
    {
      name: 'audit',
      isPatient: false,
      needsRoot: false,
      limitS: 120,
      command: { program: ['node', 'scripts/audit.ts'] },
    },
  ]
  const isEmpty = ({ name, command }: Suite) =>
    (name === 'int' || name === 'engines') && 'files' in command && command.files.length === 0
  return suites.filter((suite) => choice.has(suite.name as SuiteName) && !isEmpty(suite))
}

/** A sample by the seed, in which every changed file is. */
function sampleOf(files: readonly string[], seed: string, changed: readonly string[]): readonly string[] {
  const always = files.filter((file) => changed.includes(file))
  const others = files.filter((file) => !changed.includes(file))
  return [...always, ...sampleFiles(others, { seed, count: Math.max(0, engineSample - always.length) })].sort()
}

function vitest(project: string, files: readonly string[] = []): Suite['command'] {
  return { vitest: ['--project', project], files }
}

function runsEngines(file: string): boolean {
  return engineFolders.some((folder) => isInside(file, folder))
}

function isInside(file: string, folder: string): boolean {
  return file.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
}
