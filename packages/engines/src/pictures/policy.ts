import { magickResources } from './decoder-limits.ts'

/** A coder of ImageMagick by both names policies know it by. */
export interface Coder {
  /** What stands before the colon: `ico:in-0.ico`. */
  readonly name: string
  /** The module it lives in. */
  readonly module: string
}

/** What one run of ImageMagick may read and write. */
export interface Grant {
  readonly read: readonly Coder[]
  readonly write: readonly Coder[]
  /** The longest side of a picture, where the format's own is far below ours. */
  readonly maxSide?: number
}

/**
 * The policy of one run: nothing but the coders it needs, each in one direction. Coders and modules are checked
 * in different places of ImageMagick, and each place has been forgotten once, so both are named. The last rule that
 * fits counts.
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
    // Programs to hand a file to, filters of others, lists of files, and the standard streams.
    ...['delegate', 'filter'].map((domain) => `domain="${domain}" rights="none" pattern="*"`),
    ...['@*', '-', '*|*', 'fd:*'].map((pattern) => `domain="path" rights="none" pattern="${pattern}"`),
    ...['coder', 'module'].map((domain) => `domain="${domain}" rights="none" pattern="*"`),
    // A module is opened for both directions or not at all.
    ...[...modules].map((module) => `domain="module" rights="read|write" pattern="${module}"`),
    ...[...coders].map((coder) => `domain="coder" rights="${rightsOf(coder)}" pattern="${coder.toUpperCase()}"`),
  ]
  return `<policymap>\n${rules.map((rule) => `  <policy ${rule}/>\n`).join('')}</policymap>\n`
}
