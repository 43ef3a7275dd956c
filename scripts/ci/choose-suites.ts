/** The suites of `.ci/run`. */
export const suiteNames = ['check', 'audit', 'unit', 'int', 'engines', 'e2e', 'web', 'attacks'] as const
export type SuiteName = (typeof suiteNames)[number]

/** The suites that run, each with the folders or files that it is limited to; none of them means all. */
export type Choice = ReadonlyMap<SuiteName, readonly string[]>

/** Which packages each folder imports: scripts/import-table.cjs. */
export type ImportTable = Readonly<Record<string, readonly string[]>>

/** Folders whose integration tests run engines; the others need the services alone. */
export const engineFolders = [
  'packages/engines',
  'packages/sandbox',
  'packages/testing',
  'packages/connectors/src/webpage',
  'apps/worker',
] as const

// What a stack under test consists of. The other packages are parts of these.
const processes = ['apps/api', 'apps/worker', 'apps/scheduler']
const clients = ['apps/cli', 'packages/sdk', 'packages/mcp', 'packages/n8n-nodes-lathe']
const guideTest = 'e2e/src/web/guide.test.ts'

/** Every suite, whole. */
export function allSuites(): Choice {
  return new Map(suiteNames.map((name) => [name, []]))
}

/**
 * The suites that can notice a change of these files. `check`, `audit` and `unit` take little time and always run. A
 * file that belongs to no package and is not known here may matter to any suite.
 */
export function chooseSuites(changed: readonly string[], table: ImportTable): Choice {
  const kinds = changed.map((file) => kindOf(file, table))
  if (kinds.includes('unknown')) return allSuites()
  const affected = withDependents(new Set(kinds), table)
  const isAffected = (folders: readonly string[]) => folders.some((folder) => affected.has(folder))

  const choice = new Map<SuiteName, readonly string[]>([
    ['check', []],
    ['audit', []],
    ['unit', []],
  ])
  const folders = [...affected].filter((folder) => folder in table).map((folder) => `${folder}/`)
  if (folders.some((folder) => folder !== 'apps/web/' && folder !== 'apps/guide/')) choice.set('int', folders)
  const engines = engineFolders.filter((folder) => [...affected].some((one) => isInside(folder, one)))
  if (engines.length > 0) choice.set('engines', engines)
  if (isAffected([...processes, ...clients, 'shared e2e', 'scenario', 'docs', 'apps/guide'])) choice.set('e2e', [])
  if (isAffected([...processes, 'apps/web', 'shared e2e', 'page test'])) choice.set('web', [])
  else if (isAffected(['docs', 'apps/guide'])) choice.set('web', [guideTest])
  if (isAffected(['apps/api', 'apps/worker', 'shared e2e', 'attack'])) choice.set('attacks', [])
  return choice
}

/** The folder of the table that the file belongs to, or what it is else. */
function kindOf(file: string, table: ImportTable): string {
  if (/^e2e\/src\/web\/[^/]+\.test\.ts$/.test(file)) return 'page test'
  if (/^e2e\/src\/scenarios\/[^/]+\.test\.ts$/.test(file)) return 'scenario'
  if (/^e2e\/src\/attacks\/.+\.test\.ts$/.test(file)) return 'attack'
  if (isInside(file, 'e2e')) return 'shared e2e'
  if (isInside(file, 'docs') || isInside(file, 'deploy') || isInside(file, 'clients')) return 'docs'
  if (isInside(file, '.github') || file === 'LICENSE') return 'nothing'
  if (/^[A-Z_]+\.md$/.test(file)) return 'docs'
  // All tests stand on what tests share, and on the commands that build and start what they test.
  if (isInside(file, 'packages/testing') || isInside(file, 'scripts')) return 'unknown'
  return Object.keys(table).find((folder) => isInside(file, folder)) ?? 'unknown'
}

/**
 * The folders, and all that import them, directly or not. What only tests import (`packages/testing`, `e2e`) passes
 * nothing on: those tests are chosen by what they test.
 */
function withDependents(changed: ReadonlySet<string>, table: ImportTable): ReadonlySet<string> {
  const found = new Set(changed)
  const names = new Set([...changed].map((folder) => folder.split('/').at(-1) ?? ''))
  for (let size = -1; size !== found.size; ) {
    size = found.size
    for (const [folder, imports] of Object.entries(table)) {
      if (found.has(folder) || folder === 'e2e' || !imports.some((name) => names.has(name))) continue
      found.add(folder)
      names.add(folder.split('/').at(-1) ?? '')
    }
  }
  return found
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`)
}
