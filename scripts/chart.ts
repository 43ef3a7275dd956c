/**
 * `npm run chart`: lints and renders the Helm chart with every value set in deploy/helm/lathe/ci, and checks that the
 * rendered manifests are consistent. Needs Helm 3.6 or newer.
 *
 *   --helm=PATH   the program; by default `helm` from PATH
 *   --out=DIR     keep the rendered manifests
 *
 * The last line is `N passed, N failed`.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { parseAllDocuments } from 'yaml'
import { chartDir, readSettingNames, readValueSets } from './chart/chart-files.ts'
import { checkManifests, type Manifest } from './chart/check-manifests.ts'

const { values: flags } = parseArgs({ options: { helm: { type: 'string', default: 'helm' }, out: { type: 'string' } } })
const helm = (...args: string[]) =>
  execFileSync(flags.helm, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
const { known } = readSettingNames()
let failed = 0
const sets = readValueSets()

for (const { name, file } of sets) {
  const faults = tryOne(name, file)
  if (faults.length > 0) failed += 1
  console.log(`${faults.length === 0 ? 'ok    ' : 'FAILED'} ${name}`)
  for (const fault of faults) console.log(`  ${fault}`)
}
console.log(`${sets.length - failed} passed, ${failed} failed`)
if (failed > 0) process.exitCode = 1

function tryOne(name: string, file: string): readonly string[] {
  try {
    helm('lint', '--strict', '-f', file, chartDir)
    const text = helm('template', 'lathe', chartDir, '-n', 'lathe', '-f', file, '--kube-version', '1.34.0')
    if (flags.out) {
      mkdirSync(flags.out, { recursive: true })
      writeFileSync(join(flags.out, `${name}.yaml`), text)
    }
    const manifests = parseAllDocuments(text).map((document) => {
      const [fault] = document.errors
      if (fault) throw fault
      return document.toJS() as Manifest | null
    })
    return checkManifests(
      manifests.filter((one) => one !== null),
      known,
    )
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}
