import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { InstanceParts } from './instance.ts'
import { profileOf } from './profiles.ts'
import { startProcess } from './start-process.ts'

/**
 * Runs a runner's script once as `script prepare`, before any customer file is present. The files it leaves in its
 * folder become /opt/lathe/runners/prepared, which every instance can read and none can change. Throws if the script
 * fails.
 */
export async function prepare({ host, scratch, runners, runner, command, start }: InstanceParts): Promise<void> {
  const folder = await scratch.createFolder('prepared')
  const process = await startProcess(host, {
    profile: profileOf(runner),
    folder,
    runners,
    command: [...command, 'prepare'],
    memoryBytes: start.memoryBytes,
    fileBytes: host.fileBytes,
    stdin: 'ignore',
  })
  const timer = setTimeout(() => process.kill(), start.timeMs)
  process.stdout.resume()
  const { code } = await process.ended
  clearTimeout(timer)
  if (code !== 0) {
    await scratch.remove(folder)
    throw new Error(`it could not prepare: exit ${code}\n${process.stderr.text().trim().slice(-2000)}`)
  }
  await rename(folder, join(runners, 'prepared'))
}
