import { createHash } from 'node:crypto'
import { type ProgramHost, type ProgramName, startWaiting, type WaitingProgram } from './waiting-program.ts'

/** Programs that were started before they were needed. */
export interface ProgramsAhead extends AsyncDisposable {
  /** Returns a program that waits for its arguments: one that was started ahead, or a new one. */
  take(name: ProgramName): Promise<WaitingProgram>
  /** Starts replacements for the programs that were taken. Called when a run has ended. */
  refill(name: ProgramName): void
}

export interface AheadOptions {
  /** How many of each program wait. With 0 every run starts its own. */
  readonly each: number
  /** The most programs that wait, of all kinds together. */
  readonly all?: number
  /** How long one waits before it is ended. */
  readonly restMs?: number
}

/** The most programs that wait, of all kinds together: each holds 1 to 15 MB of its own memory. */
export const mostProgramsAhead = 40
const usualRestMs = 5 * 60_000

/**
 * Keeps the most recently used programs waiting for their next run. None of them has seen a file before it is taken,
 * and none is used twice, so they can serve any owner.
 */
export function createProgramsAhead(
  host: ProgramHost,
  { each, all = mostProgramsAhead, restMs = usualRestMs }: AheadOptions,
  start: typeof startWaiting = startWaiting,
): ProgramsAhead {
  // Ordered by use: the most recently used program is last.
  const waiting = new Map<string, Promise<WaitingProgram>[]>()
  const ending = new Set<Promise<unknown>>()
  let isClosed = false

  function add(name: ProgramName, programs: Promise<WaitingProgram>[]): void {
    const starting = start(host, name)
    programs.push(starting)
    const timer = setTimeout(() => drop(programs, starting), restMs).unref()
    // A program that could not start, or has ended by itself, must not block a slot.
    starting.then(
      ({ process }) => process.ended.then(() => clearTimeout(timer)),
      () => drop(programs, starting),
    )
  }

  function drop(programs: Promise<WaitingProgram>[], one: Promise<WaitingProgram>): void {
    const at = programs.indexOf(one)
    if (at >= 0) end(...programs.splice(at, 1))
  }

  function end(...programs: readonly Promise<WaitingProgram>[]): void {
    for (const program of programs) {
      const ended = program.then((it) => it.discard()).catch(() => {})
      ending.add(ended)
      void ended.finally(() => ending.delete(ended))
    }
  }

  /** Ends the least recently used programs until no more than `most` wait. */
  function makeRoom(most: number): void {
    for (const programs of waiting.values()) {
      const count = [...waiting.values()].reduce((sum, { length }) => sum + length, 0)
      if (count <= most) return
      end(...programs.splice(0, count - most))
    }
  }

  return {
    async take(name) {
      const programs = waiting.get(keyOf(name)) ?? []
      for (let next = programs.shift(); next; next = programs.shift()) {
        const program = await next.catch(() => undefined)
        if (program && !program.process.hasExited()) return program
        if (program) end(next)
      }
      return start(host, name)
    },
    refill(name) {
      if (isClosed || each === 0) return
      const key = keyOf(name)
      const programs = waiting.get(key) ?? []
      waiting.delete(key)
      waiting.set(key, programs)
      makeRoom(all - each)
      while (programs.length < each) add(name, programs)
    },
    async [Symbol.asyncDispose]() {
      isClosed = true
      for (const programs of waiting.values()) end(...programs.splice(0))
      await Promise.all(ending)
    },
  }
}

function keyOf({ profile, program, modules }: ProgramName): string {
  if (!modules) return `${profile} ${program}`
  return `${profile} ${program} ${createHash('sha256').update(JSON.stringify(modules)).digest('hex')}`
}
