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

/** A program of the engine root, and what it can see and use. */
export interface ProgramName {
  readonly profile: string
  readonly program: string
  /** Our modules, by name, that Python loads before it waits. The `main` of the first one runs. */
  readonly modules?: Readonly<Record<string, string>>
}

export interface ProgramWork {
  readonly args: readonly string[]
  readonly folder: JobFolder
  readonly memoryBytes: number
  /** The largest file it may write. */
  readonly fileBytes: number
}

/** A linked or loaded program that waits for its arguments in its own sandbox. It runs once. */
export interface WaitingProgram {
  readonly process: SandboxedProcess
  /** Hands over a job's folder and lets the program run. Returns the folder's path during the run. */
  begin(work: ProgramWork): Promise<string>
  /** Moves the folder back after the program has ended. Returns false if it is not the one that went in. */
  finish(folder: JobFolder): Promise<boolean>
  /** Ends a program that is not needed. */
  discard(): Promise<void>
}

/**
 * Starts a program that waits for its arguments: any program before its main function, with our library
 * (scripts/engine-root/await-arguments.c), or Python after it has loaded our modules.
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
  const starting = startProcess(host, {
    profile: own,
    folder: home,
    waits: modules ? 'loaded' : 'linked',
    command: modules ? [program, ...waitingPython] : [program],
    memoryBytes,
    fileBytes: host.fileBytes,
    stdin: 'pipe',
  })
  const process = await starting.catch(async (error) => {
    await scratch.remove(home)
    throw error
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

/** The number of words, the number of bytes they take, and the words, each followed by a zero byte. */
export function toRequest(words: readonly string[]): Buffer {
  if (words.some((word) => word.includes('\0'))) throw new Error('an argument cannot hold a zero byte')
  const text = Buffer.from(words.map((word) => `${word}\0`).join(''))
  const head = new Uint32Array([words.length, text.length])
  return Buffer.concat([Buffer.from(head.buffer), text])
}
