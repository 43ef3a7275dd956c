/** As much of what `npm audit --json` says as we judge by. */
export interface AuditReport {
  /** Where the registry could not be asked. */
  readonly error?: { readonly summary?: string }
  readonly message?: string
  /** Of the registry's answer, where that was no report. */
  readonly statusCode?: number
  readonly vulnerabilities?: Readonly<Record<string, { readonly via: readonly (Advisory | string)[] }>>
}

interface Advisory {
  readonly name: string
  readonly title: string
  readonly url: string
  readonly severity: string
}

/** An advisory that does not concern us, until somebody looks again. */
export interface AuditException {
  /** Its address, as the report gives it. */
  readonly url: string
  readonly why: string
  /** The day after which it counts again. */
  readonly until: string
}

const grave: ReadonlySet<string> = new Set(['high', 'critical'])

/** What is wrong: grave advisories without a written exception that still holds, and exceptions that nothing needs. */
export function judgeAudit(
  report: AuditReport,
  exceptions: readonly AuditException[],
  today: string,
): readonly string[] {
  const advisories = Object.values(report.vulnerabilities ?? {})
    .flatMap(({ via }) => via)
    .filter((one) => typeof one !== 'string')
  const found = new Map(advisories.filter(({ severity }) => grave.has(severity)).map((one) => [one.url, one]))
  const excused = new Set(exceptions.filter(({ until }) => until >= today).map(({ url }) => url))
  const open = [...found.values()].filter(({ url }) => !excused.has(url))
  return [
    ...open.map(({ name, severity, title, url }) => `${name}: ${severity}: ${title} (${url})`),
    ...exceptions.filter(({ url }) => !found.has(url)).map(({ url }) => `the exception for ${url} is not needed`),
  ]
}

/** Whether the registry was asked and does not serve such questions. One that is down has to be asked again. */
export function lacksEndpoint({ statusCode = 200 }: AuditReport): boolean {
  return [404, 405, 501].includes(statusCode)
}
