import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { copyFile, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { inLanes } from '../parts/lanes.ts'
import type { SampleDocument } from './documents.ts'

const root = process.env.LATHE_ENGINE_ROOT ?? '/var/lib/lathe/engine-roots/current'

/**
 * How plain LibreOffice runs: how many processes at once, and whether each keeps its profile or gets a new one each
 * time.
 */
export interface BareMode {
  readonly atOnce: number
  readonly profiles: 'fresh' | 'kept'
}

/**
 * Letters per second that `soffice --convert-to pdf` converts in the service's engine root, with one start per letter.
 */
export async function bareRate(
  documents: readonly SampleDocument[],
  folder: string,
  { atOnce, profiles }: BareMode,
): Promise<number> {
  const lanes = await Promise.all(Array.from({ length: atOnce }, () => openLane(folder)))
  const first = documents[0]
  if (profiles === 'kept' && first) await Promise.all(lanes.map((lane) => lane.convert(first, 'kept')))
  const startedAt = performance.now()
  const free = [...lanes]
  await inLanes(documents.length, atOnce, async (i) => {
    const lane = free.pop()
    const document = documents[i]
    if (!lane || !document) throw new Error('no lane is free')
    await lane.convert(document, profiles === 'kept' ? 'kept' : randomUUID())
    free.push(lane)
  })
  return (documents.length * 1000) / (performance.now() - startedAt)
}

async function openLane(folder: string) {
  const job = join(folder, `lane-${randomUUID()}`)
  await mkdir(job)
  return {
    async convert({ path, name }: SampleDocument, profile: string): Promise<void> {
      await copyFile(path, join(job, `${name}.docx`))
      const installation = `-env:UserInstallation=file:///job/profile-${profile}`
      await run(job, ['soffice', installation, '--headless', '--convert-to', 'pdf', `${name}.docx`])
      const pdf = await readFile(join(job, `${name}.pdf`))
      if (!pdf.subarray(0, 5).equals(Buffer.from('%PDF-'))) throw new Error(`bare LibreOffice made no PDF of ${name}`)
    },
  }
}

async function run(job: string, command: readonly string[]): Promise<void> {
  const links = ['--symlink', 'usr/lib', '/lib', '--symlink', 'usr/lib64', '/lib64', '--symlink', 'usr/bin', '/bin']
  const system = ['--ro-bind', `${root}/usr`, '/usr', ...links, '--ro-bind', `${root}/etc`, '/etc']
  const state = ['libreoffice', 'fontconfig'].flatMap((name) => {
    const path = name === 'fontconfig' ? 'var/cache/fontconfig' : 'var/lib/libreoffice'
    return ['--ro-bind-try', `${root}/${path}`, `/${path}`]
  })
  const rest = ['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--bind', job, '/job', '--chdir', '/job']
  const env = [
    '--clearenv',
    '--setenv',
    'PATH',
    '/usr/bin',
    '--setenv',
    'HOME',
    '/tmp',
    '--setenv',
    'LC_ALL',
    'C.UTF-8',
  ]
  const words = ['--unshare-all', '--die-with-parent', ...system, ...state, ...rest, ...env, '--', ...command]
  const child = spawn('bwrap', words, { stdio: ['ignore', 'ignore', 'pipe'] })
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  if (code !== 0) throw new Error(`soffice ended with ${code}: ${stderr}`)
}
