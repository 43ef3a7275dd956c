// What a program of somebody does with the SDK; run with Node.js and Bun, which must print the same.
import { InvalidRequestError, Lathe } from '@lathe/sdk'

const lathe = new Lathe()
const webp = await lathe.convert('photo.jpg', 'webp', { quality: 60 })
await webp.save()
const bytes = await webp.bytes()

const large = new Blob([new Uint8Array(9_000_000).fill(7)])
const job = await lathe.jobs.create({ tasks: { file: { operation: 'import/upload' } } })
let parts = 0
await job.upload('file', large, { name: 'large.bin', onProgress: () => (parts += 1) })
const [back] = (await job.done()).files()

let listed = false
for await (const { id } of lathe.jobs.list()) listed ||= id === job.id
const missing = await lathe.jobs.get('0'.repeat(24)).catch((error) => error.name)
const invalid = await lathe
  .convert('photo.jpg', 'nonsense')
  .catch((error) => error instanceof InvalidRequestError && error.errors.map(({ path }) => path))
const aborted = await lathe
  .convert('photo.jpg', 'png', {}, { signal: AbortSignal.abort(new Error('enough')) })
  .catch((error) => error.message)

console.log(
  JSON.stringify({
    converted: webp.name,
    head: new TextDecoder().decode(bytes.subarray(8, 12)),
    isComplete: bytes.length === webp.size && back.size === large.size,
    parts,
    listed,
    missing,
    invalid,
    aborted,
  }),
)
