import type { Kind } from './item.ts'

/** The most common targets of a kind, best first. */
const preferred: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  image: ['webp', 'jpg', 'png', 'pdf'],
  document: ['pdf', 'docx'],
  audio: ['mp3', 'm4a', 'wav'],
  video: ['mp4', 'webm', 'gif'],
  archive: ['zip'],
  text: ['pdf', 'html'],
  page: ['pdf', 'png'],
}

/**
 * The initial target: the first common target that all sources can become; a single source is not converted to itself.
 */
export function preferredTarget(
  kind: Kind,
  sources: readonly string[],
  targets: readonly string[],
): string | undefined {
  const possible = new Set(targets)
  const wanted = (preferred[kind] ?? []).filter((ext) => possible.has(ext))
  const others = sources.length === 1 ? wanted.filter((ext) => ext !== sources[0]) : wanted
  return others[0] ?? wanted[0] ?? targets[0]
}

/** The targets that all lists contain. */
export function commonTargets(lists: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...others] = lists
  return first.filter((ext) => others.every((list) => list.includes(ext)))
}
