const unreleased = '## [Unreleased]'

/** The changelog with the unreleased changes under a version, and an empty list for the next ones. */
export function releaseChangelog(text: string, version: string, date: string): string {
  const [before, after, ...more] = text.split(`${unreleased}\n`)
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error(`the changelog must have one heading "${unreleased}"`)
  }
  if (text.includes(`\n## [${version}]`)) throw new Error(`the changelog has version ${version} already`)
  const [changes = ''] = after.split('\n## [')
  if (!/^- /m.test(changes)) throw new Error('the changelog says of nothing that it is unreleased')
  return `${before}${unreleased}\n\n## [${version}] - ${date}\n${after}`
}

/** The changelog entries of a version, for the release page. */
export function notesOf(text: string, version: string): string {
  const section = text.split('\n## [').find((part) => part.startsWith(`${version}]`))
  if (section === undefined) throw new Error(`the changelog has no version ${version}`)
  return section.slice(section.indexOf('\n')).trim()
}

/** Whether a version is greater than another: `1.10.0` is greater than `1.9.0`. Both are plain semantic versions. */
export function isGreater(version: string, than: string): boolean {
  const [a, b] = [parse(version), parse(than)]
  const different = a.findIndex((part, n) => part !== b[n])
  return different >= 0 && (a[different] ?? 0) > (b[different] ?? 0)
}

function parse(version: string): readonly number[] {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error(`${version} is no version such as 1.2.3`)
  return version.split('.').map(Number)
}
