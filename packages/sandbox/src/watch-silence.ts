/** The signs of life of an engine at one moment. */
export interface Signs {
  /** Lines or progress it has reported so far. */
  readonly reported: number
  /** Bytes in its folder. */
  readonly bytes: number
  /** Milliseconds of CPU time of its processes. */
  readonly cpuMs: number
}

/** The last moment when a sign changed, and the signs at that moment. */
export interface LastSign {
  readonly at: number
  readonly signs: Signs
}

// An engine that waits forever still wakes for its timers: less than a hundredth of a core does not count as work.
const idleShare = 0.01

/** The last sign of life after one more look. */
export function noteSigns(last: LastSign, signs: Signs, at: number, silenceMs: number): LastSign {
  const worked = Math.abs(signs.cpuMs - last.signs.cpuMs)
  const moved =
    signs.reported !== last.signs.reported || signs.bytes !== last.signs.bytes || worked > silenceMs * idleShare
  return moved ? { at, signs } : last
}

export interface SilenceWatch {
  readonly silenceMs: number
  look(): Promise<Signs>
  onSilent(): void
}

/** Calls `onSilent` once if an engine reports nothing, writes nothing and computes nothing for too long. */
export function watchSilence({ silenceMs, look, onSilent }: SilenceWatch): Disposable {
  const intervalMs = Math.min(Math.max(silenceMs / 5, 20), 1000)
  let stopped = false
  let last: LastSign = { at: performance.now(), signs: { reported: 0, bytes: 0, cpuMs: 0 } }
  let timer = setTimeout(check, intervalMs)

  async function check(): Promise<void> {
    const signs = await look()
    if (stopped) return
    const now = performance.now()
    last = noteSigns(last, signs, now, silenceMs)
    if (now - last.at >= silenceMs) onSilent()
    else timer = setTimeout(check, intervalMs)
  }

  return {
    [Symbol.dispose]() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
