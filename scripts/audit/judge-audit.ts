/** The part of the output of `npm audit --json` that is used here. */
export interface AuditReport {
  /** Set if the registry could not be asked. */
  readonly error?: { readonly summary?: string }
  readonly message?: string
  /** Status of the registry's response if it was not a report. */
  readonly statusCode?: number
  readonly vulnerabilities?: Readonly<Record<string, { readonly via: readonly (Advisory | string)[] }>>
}

interface Advisory {
  readonly name: string
  readonly title: string
  readonly url: string
  readonly severity: string
}

/** An advisory that does not affect us, until the next review. */
export interface AuditException {
  /** The URL of the advisory, as in the report. */
  readonly url: string
  readonly why: string
  /** The last day of the exception. */
  readonly until: string
}

const grave: ReadonlySet<string> = new Set(['high', 'critical'])

/** Returns the faults: severe advisories without a valid exception, and exceptions that are not needed. */
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

/** Whether the registry responded that it has no audit endpoint. If it is down, ask again later. */
export function lacksEndpoint({ statusCode = 200 }: AuditReport): boolean {
  return [404, 405, 501].includes(statusCode)
}
