import { readFileSync } from 'node:fs'
import type { Task } from '@lathe/contract'
import { findAbility } from '@lathe/engines'
import type { PlanBench } from '@lathe/testing'
import { type FixtureName, fixturePath } from '../../../../fixtures/fixtures.ts'
import type { Client } from '../../client.ts'
import { upload } from '../../upload.ts'

/** An ordinary conversion: an imported file and its target. */
export interface BenignInput {
  readonly task: string
  readonly to: string
}

const rounds = 10

/** Imports one ordinary file for each engine. */
export async function benignInputs(api: Client, bench: PlanBench): Promise<readonly BenignInput[]> {
  const inputs = [await take(api, fixture('photo-40k.jpg'), 'photo.jpg', 'webp')]
  if (findAbility('convert', 'pdf', 'png')) inputs.push(await take(api, fixture('two-pages.pdf'), 'pages.pdf', 'png'))
  if (findAbility('convert', 'wav', 'mp3')) inputs.push(await take(api, await beep(bench), 'beep.wav', 'mp3'))
  if (findAbility('convert', 'txt', 'pdf')) inputs.push(await take(api, Buffer.from('Hello.\n'), 'hello.txt', 'pdf'))
  return inputs
}

const fixture = (name: FixtureName) => readFileSync(fixturePath(name))

async function take(api: Client, bytes: Uint8Array, filename: string, to: string): Promise<BenignInput> {
  const { body } = await upload(api, await api.create('import/upload'), bytes, { filename })
  return { task: body.id, to }
}

/** Half a second of audio. */
async function beep(bench: PlanBench): Promise<Buffer> {
  const args = ['-nostdin', '-v', 'error', '-f', 'lavfi', '-i', 'sine=d=0.5:r=8000', 'beep.wav']
  const { outputs } = await bench.tool('ffmpeg', args, { outputs: ['beep.wav'] })
  if (!outputs['beep.wav']) throw new Error('no sound was made')
  return outputs['beep.wav']
}

/** Runs ten conversions, through every engine in turn; returns the failures. */
export async function runBenign(api: Client, inputs: readonly BenignInput[]): Promise<readonly string[]> {
  const wanted = Array.from({ length: rounds }, (_, n) => inputs[n % inputs.length] ?? inputs[0])
  const ended = await Promise.all(wanted.map((input) => input && convert(api, input)))
  return ended.flatMap((task) =>
    task && task.status !== 'completed' ? [`${JSON.stringify(task.payload)}: ${JSON.stringify(task.result)}`] : [],
  )
}

function convert(api: Client, { task, to }: BenignInput): Promise<Task> {
  return api.run('convert', { input: task, output_format: to })
}
