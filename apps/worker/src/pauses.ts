/** Why a worker starts no tasks: none at all with a wrong clock, otherwise none that need an engine. */
export type PauseReason = 'clock' | 'disk' | 'engine_host'

/** Collects the reasons: work resumes when the last of them is gone. */
export interface Pauses {
  set(reason: PauseReason, isPaused: boolean): void
  /** The first of them, or undefined if there is none. */
  reason(): PauseReason | undefined
  has(reason: PauseReason): boolean
  /** Calls `tell` now, and on every change. */
  watch(tell: (reason: PauseReason | undefined) => void): void
}

export function createPauses(): Pauses {
  const reasons = new Set<PauseReason>()
  const watchers: ((reason: PauseReason | undefined) => void)[] = []
  const reason = () => [...reasons][0]
  return {
    set(changed, isPaused) {
      if (isPaused) reasons.add(changed)
      else reasons.delete(changed)
      for (const tell of watchers) tell(reason())
    },
    reason,
    has: (one) => reasons.has(one),
    watch(tell) {
      watchers.push(tell)
      tell(reason())
    },
  }
}
