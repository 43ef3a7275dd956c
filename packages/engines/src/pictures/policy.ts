import { magickResources } from './decoder-limits.ts'

/** A coder of ImageMagick, by the two names that policies use. */
export interface Coder {
  /** The prefix before the colon: `ico:in-0.ico`. */
  readonly name: string
  /** The module that contains it. */
  readonly module: string
}

/** What one run of ImageMagick may read and write. */
export interface Grant {
  readonly read: readonly Coder[]
  readonly write: readonly Coder[]
  /** The longest side of an image, for formats whose own limit is far below ours. */
  readonly maxSide?: number
}

/**
 * The policy of one run: only the coders it needs, each in one direction. ImageMagick checks coders and modules in
 * different places, and each check has been missing in some version, so both are listed. The last matching rule counts.
 */
export function policyFor({ read, write, maxSide }: Grant): string {
  const modules = new Set([...read, ...write].map(({ module }) => module))
  const coders = new Set([...read, ...write].map(({ name }) => name))
  const rightsOf = (coder: string) => {
    const rights = { read: read.some(({ name }) => name === coder), write: write.some(({ name }) => name === coder) }
    return [...(rights.read ? ['read'] : []), ...(rights.write ? ['write'] : [])].join('|')
  }
  const sides = maxSide === undefined ? {} : { width: `${maxSide}`, height: `${maxSide}` }
  const rules = [
    ...Object.entries({ ...magickResources, ...sides }).map(
      ([name, value]) => `domain="resource" name="${name}" value="${value}"`,
    ),
    // Delegate programs, external filters, file lists and the standard streams.
    ...['delegate', 'filter'].map((domain) => `domain="${domain}" rights="none" pattern="*"`),
    ...['@*', '-', '*|*', 'fd:*'].map((pattern) => `domain="path" rights="none" pattern="${pattern}"`),
    ...['coder', 'module'].map((domain) => `domain="${domain}" rights="none" pattern="*"`),
    // A module can only be allowed for both directions.
    ...[...modules].map((module) => `domain="module" rights="read|write" pattern="${module}"`),
    ...[...coders].map((coder) => `domain="coder" rights="${rightsOf(coder)}" pattern="${coder.toUpperCase()}"`),
  ]
  return `<policymap>\n${rules.map((rule) => `  <policy ${rule}/>\n`).join('')}</policymap>\n`
}
