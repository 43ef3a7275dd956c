/**
 * Asks Debian's security tracker with debsecan for known vulnerabilities of the packages in an engine root, and writes
 * the numbers where workers find them. For a daily timer.
 *
 *   --root DIR      the root; the one in use by default
 *   --report FILE   where to write, for roots in images (LATHE_ENGINE_ROOT_REPORT); next to the root by default
 *   --source URL    where debsecan looks vulnerabilities up
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { countVulnerabilities } from './engine-root/count-vulnerabilities.ts'
import { type InstalledPackages, toStatusText } from './engine-root/status-text.ts'

const { values } = parseArgs({
  options: {
    root: { type: 'string', default: '/var/lib/lathe/engine-roots/current' },
    report: { type: 'string' },
    source: { type: 'string' },
  },
})
const root = realpathSync(values.root)
const manifest: InstalledPackages & { readonly suite: string } = JSON.parse(
  readFileSync(join(root, 'manifest.json'), 'utf8'),
)
const counts = countVulnerabilities(askDebsecan())
const report = values.report ?? `${root}.vulnerabilities.json`
const found = { root: manifest.name, checkedAt: new Date().toISOString(), counts }
writeFileSync(`${report}.new`, `${JSON.stringify(found, undefined, 2)}\n`)
renameSync(`${report}.new`, report)
for (const { urgency, fix, count } of counts) console.log(`${count} ${urgency}, fix ${fix}`)
console.log(`written to ${report}`)

// Throws on failure: if the tracker cannot be reached, all numbers would be 0.
function askDebsecan(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lathe-status-'))
  try {
    const args = ['--suite', manifest.suite, '--status', statusFile(folder), '--format', 'summary']
    return execFileSync('debsecan', [...args, ...(values.source ? ['--source', values.source] : [])], {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 ** 2,
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** What dpkg says about the root. Roots of images have no such file: theirs comes from the manifest. */
function statusFile(folder: string): string {
  const own = join(root, 'var/lib/dpkg/status')
  if (existsSync(own)) return own
  const made = join(folder, 'status')
  writeFileSync(made, toStatusText(manifest))
  return made
}
