/**
 * Writes the seccomp profile of worker containers: `seccomp.ts <default profile of Debian> <file>`. Run by the
 * Dockerfile.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { toWorkerProfile } from './worker-profile.ts'

const [from = '', into = ''] = process.argv.slice(2)
const profile = toWorkerProfile(JSON.parse(readFileSync(from, 'utf8')))
writeFileSync(into, `${JSON.stringify(profile, undefined, 1)}\n`)
