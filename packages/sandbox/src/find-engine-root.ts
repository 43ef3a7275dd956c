import { access, readFile, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { waitingLibrary } from './bwrap-arguments.ts'

/** An engine root that is complete, and what it says about itself. */
export interface EngineRoot {
  readonly path: string
  /** The last known time at which no newer packages were published. */
  readonly upToDateAt: Date
  readonly manifest: Record<string, unknown>
}

/** Finds the engine root at a path. Throws if there is none of this version. */
export async function findEngineRoot(path: string): Promise<EngineRoot> {
  // A link such as `current` may change while the worker runs, so it is resolved once.
  const real = await realpath(path)
  await access(join(real, waitingLibrary))
  const file = join(real, 'manifest.json')
  const [text, { mtime }] = await Promise.all([readFile(file, 'utf8'), stat(file)])
  const manifest = JSON.parse(text) as Record<string, unknown>
  return { path: real, upToDateAt: timeOf(manifest) ?? mtime, manifest }
}

// Older manifests lack it. The time of the file says less: the build of an image sets it to a fixed date.
function timeOf({ upToDateAt }: Record<string, unknown>): Date | undefined {
  const time = new Date(String(upToDateAt))
  return Number.isNaN(time.getTime()) ? undefined : time
}
