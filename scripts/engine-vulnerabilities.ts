/**
 * Asks Debian's security tracker with debsecan for known vulnerabilities of the packages in an engine root. Writes the
 * numbers next to it, where workers find them: `engine-vulnerabilities.ts [--root DIR] [--source URL]`. For a daily
 * timer.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { countVulnerabilities } from './engine-root/count-vulnerabilities.ts'

const { values } = parseArgs({
  options: {
    root: { type: 'string', default: '/var/lib/lathe/engine-roots/current' },
    source: { type: 'string' },
  },
})
const root = realpathSync(values.root)
const { suite } = JSON.parse(readFileSync(join(root, 'manifest.json'), 'utf8')) as { suite: string }
const args = ['--suite', suite, '--status', join(root, 'var/lib/dpkg/status'), '--format', 'summary']
// Throws on failure: if the tracker cannot be reached, all numbers would be 0.
const said = execFileSync('debsecan', [...args, ...(values.source ? ['--source', values.source] : [])], {
  encoding: 'utf8',
  maxBuffer: 64 * 1024 ** 2,
})
const counts = countVulnerabilities(said)
const report = `${root}.vulnerabilities.json`
writeFileSync(`${report}.new`, `${JSON.stringify({ checkedAt: new Date().toISOString(), counts }, undefined, 2)}\n`)
renameSync(`${report}.new`, report)
for (const { urgency, fix, count } of counts) console.log(`${count} ${urgency}, fix ${fix}`)
console.log(`written to ${report}`)
