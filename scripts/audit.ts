// Asks the registry for known vulnerabilities of what runs in production. Ends with the count; high and critical ones need
// an exception in audit/exceptions.ts. Where the registry cannot say, that is told and counts as nothing.
import { execFile } from 'node:child_process'
import { exceptions } from './audit/exceptions.ts'
import { type AuditReport, judgeAudit, lacksEndpoint } from './audit/judge-audit.ts'

const { AUDIT_DIR = new URL('..', import.meta.url).pathname } = process.env

const report = await new Promise<AuditReport>((resolve) => {
  const options = { cwd: AUDIT_DIR, maxBuffer: 64 * 1024 * 1024 }
  // Its exit code says whether it found anything of any severity, which is for us to judge.
  execFile('npm', ['audit', '--omit=dev', '--json'], options, (error, stdout) => {
    resolve(parse(stdout) ?? { error: { summary: error?.message ?? 'npm audit said nothing' } })
  })
})

const faults = report.error
  ? [`npm audit failed: ${report.message ?? report.error.summary}`]
  : judgeAudit(report, exceptions, new Date().toISOString().slice(0, 10))
if (lacksEndpoint(report)) {
  console.log(`LEFT OUT: the registry has no audit endpoint (${report.statusCode})`)
  console.log('0 passed, 0 failed')
} else {
  for (const fault of faults) console.log(`FAILED ${fault}`)
  console.log(faults.length === 0 ? '1 passed, 0 failed' : `0 passed, ${faults.length} failed`)
  if (faults.length > 0) process.exitCode = 1
}

function parse(text: string): AuditReport | undefined {
  try {
    return JSON.parse(text) as AuditReport
  } catch {
    return undefined
  }
}
