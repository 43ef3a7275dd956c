/**
 * Runs the worker in containers of every kind and checks the sandbox level it reports: `npm run e2e:containers`. Where
 * the sandbox holds, the evil engine has run in every profile; elsewhere the worker must exit with 78. `--
 * --only=podman` runs some rows.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { conclude, readWords } from '../command.ts'
import { baseImage } from './base-image.ts'
import { type Row, rows } from './rows.ts'
import { type RowEnd, runRow } from './run-row.ts'
import { dockerDefault, podmanDefault, shippedProfile } from './seccomp-profiles.ts'

/** EX_CONFIG: the exit code of a worker that cannot prove isolation. */
const unproven = 78

const only = readWords(['only']).only?.toLowerCase() ?? ''
const checkout = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '')
const engineRoot = process.env.LATHE_ENGINE_ROOT ?? '/var/lib/lathe/engine-roots/current'
const folder = await mkdtemp(join(tmpdir(), 'lathe-containers-'))

async function writeProfile(name: string, profile: object): Promise<string> {
  const path = join(folder, `${name}.json`)
  await writeFile(path, JSON.stringify(profile))
  return path
}

const profiles: Readonly<Record<Row['seccomp'], string>> = {
  docker: await writeProfile('docker', await dockerDefault()),
  shipped: await writeProfile('shipped', await shippedProfile()),
  podman: podmanDefault,
  none: 'unconfined',
}

/** Root in a container lacks the rights to set up an engine host for another user, so such a worker must refuse. */
function expectedOf({ options, expected }: Row): Row['expected'] {
  const isRoot = !options.includes('1000:1000')
  return isRoot && process.env.LATHE_TEST_ENGINE_HOST === 'own' ? 'refused' : expected
}

function judge(expected: Row['expected'], end: RowEnd): string | undefined {
  if (expected === 'refused') return end.kind === 'ended' && end.code === unproven ? undefined : `exit ${unproven}`
  if (end.kind === 'ended') return `level ${expected.level}`
  const isRight = end.level === expected.level && end.hasProc === expected.hasProc
  return isRight ? undefined : `level ${expected.level} ${expected.hasProc ? 'with' : 'without'} /proc`
}

function tell(end: RowEnd): string {
  if (end.kind === 'ended') return `exit ${end.code}: ${end.stderr.trim().split('\n').at(-1)?.slice(0, 300)}`
  return `level ${end.level} ${end.hasProc ? 'with' : 'without'} /proc; missing: ${end.missing.join(', ') || 'nothing'}`
}

try {
  const image = await baseImage()
  let [passed, failed] = [0, 0]
  for (const row of rows.filter(({ name }) => name.toLowerCase().includes(only))) {
    const end = await runRow(row, { image, checkout, engineRoot, seccomp: profiles[row.seccomp] })
    const wanted = judge(expectedOf(row), end)
    console.log(`${wanted ? 'FAILED' : 'ok    '} ${row.name}: ${tell(end)}${wanted ? `; expected ${wanted}` : ''}`)
    if (wanted) failed += 1
    else passed += 1
  }
  conclude(passed, failed)
} finally {
  await rm(folder, { recursive: true })
}
