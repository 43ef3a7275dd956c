import type { EngineFamily } from '@lathe/domain'
import { familyOfTool } from '@lathe/engines'

/** A task whose plan needs a tool that its worker does not have. */
export interface Unserved {
  /** The tool, by name. */
  readonly tool: string
  /** The family that the task's first file belongs to. */
  readonly first: EngineFamily | undefined
  /** The family that the task was queued for. */
  readonly queuedFor: EngineFamily | null
}

/**
 * The family whose workers get a task that lacks a tool here. A task that another worker has already passed on has
 * files for several families. It would go back and forth between them forever, so it goes to a worker that has all
 * engines.
 */
export function nextFamily({ tool, first, queuedFor }: Unserved): EngineFamily {
  const isSentOn = queuedFor !== null && queuedFor !== first
  return isSentOn ? 'route' : familyOfTool(tool)
}
