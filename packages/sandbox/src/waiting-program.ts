import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { waitingJob } from './bwrap-arguments.ts'
import type { JobFolder } from './job-folder.ts'
import { profileOf } from './profiles.ts'
import type { RunHost } from './run.ts'
import type { Scratch } from './scratch.ts'
import { type Host, type SandboxedProcess, startProcess } from './start-process.ts'
import { takeBack } from './take-back.ts'
import { waitingPython } from './waiting-python.ts'

/** Where programs run. */
export interface ProgramHost {
  readonly host: Host & RunHost
  readonly scratch: Scratch
}

/** A program of the engine root, and what it sees and may use. */
export interface ProgramName {
  readonly profile: string
  readonly program: string
  /** Modules of ours, by name, that Python loads before it waits; the `main` of the first is what runs. */
  readonly modules?: Readonly<Record<string, string>>
}

export interface ProgramWork {
  readonly args: readonly string[]
  readonly folder: JobFolder
  readonly memoryBytes: number
  /** The largest file it may write. */
  readonly fileBytes: number
}

/** A program in a sandbox of its own that is linked or loaded and waits for its arguments. It does one thing, then it is gone. */
export interface WaitingProgram {
  readonly process: SandboxedProcess
  /** Hands a job's folder over and lets the program run; gives the folder's path meanwhile. */
  begin(work: ProgramWork): Promise<string>
  /** Gives the folder back once the program has ended; false if it is not what went in. */
  finish(folder: JobFolder): Promise<boolean>
  /** Ends a program that is not needed. */
  discard(): Promise<void>
}

/**
 * Starts a program that waits for its arguments: any program before its main function, by a library of ours
 * (scripts/engine-root/await-arguments.c), or Python after it has loaded modules of ours.
 */
export async function startWaiting(
  { host, scratch }: ProgramHost,
  { profile, program, modules }: ProgramName,
): Promise<WaitingProgram> {
  // The sandbox may pass through this folder but not change it, so it cannot swap a job's folder for a link.
  const home = await scratch.createPassage('waiting')
  const inside = join(home, waitingJob)
  const own = profileOf(profile)
  const { memoryBytes } = own
  const process = await startProcess(host, {
    profile: own,
    folder: home,
    waits: modules ? 'loaded' : 'linked',
    command: modules ? [program, ...waitingPython] : [program],
    memoryBytes,
    fileBytes: host.fileBytes,
    stdin: 'pipe',
  })
  if (modules) process.stdin?.write(toRequest(Object.entries(modules).flat()))

  async function discard(): Promise<void> {
    process.kill()
    await process.ended
    await scratch.remove(home)
  }

  async function begin({ args, folder, memoryBytes: memory, fileBytes }: ProgramWork): Promise<string> {
    const request = toRequest([String(fileBytes), ...args])
    await process.setMemory(memory)
    await rename(folder.path, inside)
    process.stdin?.end(request)
    return inside
  }

  return {
    process,
    async begin(work) {
      try {
        return await begin(work)
      } catch (error) {
        await discard()
        throw error
      }
    },
    async finish(folder) {
      const isBack = await takeBack(inside, folder)
      await scratch.remove(home)
      return isBack
    },
    discard,
  }
}

/** Two numbers, how many words there are and how many bytes they take, and the words, each with a zero byte behind it. */
export function toRequest(words: readonly string[]): Buffer {
  if (words.some((word) => word.includes('\0'))) throw new Error('an argument cannot hold a zero byte')
  const text = Buffer.from(words.map((word) => `${word}\0`).join(''))
  const head = new Uint32Array([words.length, text.length])
  return Buffer.concat([Buffer.from(head.buffer), text])
}
