import { RequestError } from '@lathe/sdk'

export type PhaseKind = 'warm-up' | 'solo' | 'mixed'

/** Measurements and failures of clients in one phase. */
export interface Phase {
  readonly name: string
  /** Mixed phases are compared with those that one release served alone; while engines start, times mean nothing. */
  readonly kind: PhaseKind
  /**
   * Milliseconds from the first byte of a request to the last byte of its response, for requests that wait for nothing.
   */
  readonly requests: number[]
  /** Milliseconds from creation to end, of jobs and of videos. */
  readonly jobs: number[]
  readonly videos: number[]
  readonly failed: string[]
  readonly rejected: string[]
}

/** Records each result under the phase in which it began. */
export interface Book {
  readonly phases: readonly Phase[]
  /** Jobs that were sent and have not ended. */
  readonly open: number
  turnTo(name: string, kind: PhaseKind): void
  begin(kind: 'job' | 'video'): { end(failure: string | undefined): void; forget(): undefined }
  /** Sends a request; returns its result, or records why it was rejected. */
  request<T>(what: string, send: () => Promise<T>): Promise<T | undefined>
}

export function createBook(): Book {
  const phases: Phase[] = []
  let open = 0
  const now = () => phases.at(-1) ?? turnTo('start', 'warm-up')

  function turnTo(name: string, kind: PhaseKind): Phase {
    const phase = { name, kind, requests: [], jobs: [], videos: [], failed: [], rejected: [] }
    phases.push(phase)
    return phase
  }

  return {
    phases,
    get open() {
      return open
    },
    turnTo: (name, kind) => void turnTo(name, kind),
    begin(kind) {
      const [phase, startedAt] = [now(), performance.now()]
      open += 1
      return {
        end(failure) {
          open -= 1
          if (failure) phase.failed.push(failure)
          else phase[kind === 'job' ? 'jobs' : 'videos'].push(performance.now() - startedAt)
        },
        forget() {
          open -= 1
          return undefined
        },
      }
    },
    async request(what, send) {
      const [phase, startedAt] = [now(), performance.now()]
      const measure = () => what.startsWith('POST') && phase.requests.push(performance.now() - startedAt)
      try {
        const result = await send()
        measure()
        return result
      } catch (error) {
        // A refusal is a complete response as well.
        if (error instanceof RequestError) measure()
        phase.rejected.push(`${what}: ${describe(error)}`)
        return undefined
      }
    },
  }
}

function describe(error: unknown): string {
  if (error instanceof RequestError) return `${error.status} ${error.errorCode}: ${error.message}`
  const { message, cause } = error as Error
  const { message: reason = '', cause: origin } = cause instanceof Error ? cause : {}
  return [message, reason, origin instanceof Error ? origin.message : ''].filter(Boolean).join(': ')
}
