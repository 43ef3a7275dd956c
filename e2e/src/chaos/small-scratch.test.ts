import { type Stack, startStack } from '@lathe/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createClient } from './support/client.ts'
import { listTaskRows, untilSettled } from './support/record.ts'
import { mountScratch } from './support/small-disk.ts'

const MiB = 1024 ** 2

const own = new AsyncDisposableStack()
let stack: Stack

beforeAll(async () => {
  stack = own.use(await startStack({ workers: 0, storage: 'disk' }))
  const scratch = `${stack.scratchDir}-small`
  own.use(mountScratch(scratch, 64))
  await stack.addWorker({ env: { LATHE_SCRATCH_DIR: scratch, WORKER_SCRATCH_FREE_MIB: '4' } })
})
afterAll(() => own.disposeAsync())

/** A mono WAV file of silence with 16 bits per sample at 8 kHz. */
function silence(bytes: number): Buffer {
  const file = Buffer.alloc(44 + bytes)
  file.write('RIFF')
  file.writeUInt32LE(36 + bytes, 4)
  file.write('WAVEfmt ', 8)
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(1, 22)
  file.writeUInt32LE(8_000, 24)
  file.writeUInt32LE(16_000, 28)
  file.writeUInt16LE(2, 32)
  file.writeUInt16LE(16, 34)
  file.write('data', 36)
  file.writeUInt32LE(bytes, 40)
  return file
}

it.each([
  ['input', 96 * MiB, 'mp3', {}],
  ['result', 8 * MiB, 'wav', { sample_rate: '192000', channels: 8 }],
])(
  'R9: fails a task whose %s is larger than the scratch space, after at most two requeues, and says what to do',
  async (_, bytes, to, options) => {
    const { key, ownerId } = await stack.createKey()
    const client = createClient(stack.url, key)
    const upload = await client.upload(silence(bytes), 'long.wav')
    await client.create('convert', { input: upload.id, output_format: to, options })
    await untilSettled(stack, ownerId, 120_000)
    const rows = await listTaskRows(stack, ownerId)
    const task = rows.at(-1)
    expect(task).toMatchObject({ status: 'failed', reason: 'limit_exceeded' })
    expect(task?.attempt).toBeLessThanOrEqual(3)
    const { result } = await client.task(task?.id ?? '')
    expect(result.msg).toContain('scratch space (LATHE_SCRATCH_DIR)')
  },
)
