// Checks that no other tool does: hosts in the lock file, package names, file sizes, open tasks without an issue.
import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { checkFile, type Fault } from './check-repository/check-file.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root })
const faults: Fault[] = []

for (const path of listed.toString().split('\0')) {
  const file = `${root}${path}`
  // A deleted file may not be committed yet; links and folders have no text.
  if (path === '' || !statSync(file, { throwIfNoEntry: false })?.isFile()) continue
  const content = readFileSync(file)
  if (!content.includes(0)) faults.push(...checkFile(path, content.toString()))
}

for (const { path, line, text } of faults) console.log(`${path}${line === undefined ? '' : `:${line}`} ${text}`)
if (faults.length > 0) process.exitCode = 1
