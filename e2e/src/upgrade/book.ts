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
  /** Sends a request; returns the body if the response has the expected status. */
  request(what: string, expected: number, send: () => Promise<Response>): Promise<string | undefined>
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
    async request(what, expected, send) {
      const [phase, startedAt] = [now(), performance.now()]
      try {
        const answer = await send()
        const body = await answer.text()
        if (what.startsWith('POST')) phase.requests.push(performance.now() - startedAt)
        if (answer.status === expected) return body
        phase.rejected.push(`${what} answered ${answer.status}: ${body.slice(0, 200)}`)
      } catch (error) {
        const { message, cause } = error as Error
        phase.rejected.push(`${what}: ${message} ${cause instanceof Error ? cause.message : ''}`)
      }
      return undefined
    },
  }
}
