import type { Sandbox, WarmPool } from '@lathe/sandbox'

/** Where browsers run. */
export interface BrowserRoom extends Pick<Sandbox, 'createJobFolder' | 'openOutput'>, Pick<WarmPool, 'call'> {
  /** Waits until an engine may run: a browser counts as one. */
  takePermit(signal: AbortSignal): Promise<Disposable>
}
