// Asks the registry for known vulnerabilities of production dependencies. Ends with the count. Vulnerabilities of
// severity high and critical need an exception in audit/exceptions.ts. If the registry cannot answer, the script
// reports that and counts nothing.
import { execFile } from 'node:child_process'
import { exceptions } from './audit/exceptions.ts'
import { type AuditReport, judgeAudit, lacksEndpoint } from './audit/judge-audit.ts'

const { AUDIT_DIR = new URL('..', import.meta.url).pathname } = process.env

const report = await new Promise<AuditReport>((resolve) => {
  const options = { cwd: AUDIT_DIR, maxBuffer: 64 * 1024 * 1024 }
  // The exit code covers findings of any severity; this script judges them itself.
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
