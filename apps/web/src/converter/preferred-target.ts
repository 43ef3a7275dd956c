import type { Kind } from './item.ts'

/** What most people want of a kind, best first. */
const wishes: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  image: ['webp', 'jpg', 'png', 'pdf'],
  document: ['pdf', 'docx'],
  audio: ['mp3', 'm4a', 'wav'],
  video: ['mp4', 'webm', 'gif'],
  archive: ['zip'],
  text: ['pdf', 'html'],
}

/** The target to begin with: the first wish that all sources can become; a single source is not wished to itself. */
export function preferredTarget(
  kind: Kind,
  sources: readonly string[],
  targets: readonly string[],
): string | undefined {
  const possible = new Set(targets)
  const wanted = (wishes[kind] ?? []).filter((ext) => possible.has(ext))
  const others = sources.length === 1 ? wanted.filter((ext) => ext !== sources[0]) : wanted
  return others[0] ?? wanted[0] ?? targets[0]
}

/** What all of several lists have. */
export function commonTargets(lists: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...others] = lists
  return first.filter((ext) => others.every((list) => list.includes(ext)))
}
