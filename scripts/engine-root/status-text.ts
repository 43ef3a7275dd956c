/** The part of a root's manifest that says what is installed in it. */
export interface InstalledPackages {
  readonly name: string
  readonly architecture: string
  /** The version of each package. */
  readonly packages: Readonly<Record<string, string>>
  /** The source package of each package. Roots that were built before this was recorded have none. */
  readonly sources?: Readonly<Record<string, { readonly name: string; readonly version: string }>>
}

/**
 * The packages of a manifest in the form of dpkg's status file, for debsecan. Throws if a source is missing: debsecan
 * looks vulnerabilities up by source package, and would report too few.
 */
export function toStatusText({ name, architecture, packages, sources = {} }: InstalledPackages): string {
  const entries = Object.entries(packages).map(([one, version]) => {
    const source = sources[one]
    if (!source) throw new Error(`the manifest of ${name} has no source of ${one}: build the root again`)
    return `Package: ${one}
Status: install ok installed
Architecture: ${architecture}
Source: ${source.name} (${source.version})
Version: ${version}
`
  })
  return entries.join('\n')
}
