// What programs do through a proxy that ends TLS: `nginx-program.mjs FILE`, with LATHE_URL and LATHE_KEY of the proxy.
import { Lathe } from '@lathe/sdk'
import { io } from 'socket.io-client'

const url = process.env.LATHE_URL
const token = `Bearer ${process.env.LATHE_KEY}`
const lathe = new Lathe()

const webp = await lathe.convert(process.argv[2], 'webp')
const head = new TextDecoder().decode((await webp.bytes()).subarray(8, 12))

const large = new Blob([new Uint8Array(9_000_000).fill(7)])
const job = await lathe.jobs.create({ tasks: { file: { operation: 'import/upload' } } })

// A proxy that buffers shows the first events when the job has ended, which waits for the upload.
const headers = { authorization: token, accept: 'text/event-stream' }
const stream = await fetch(`${url}/v1/process/jobs/${job.id}/events`, { headers })
const reader = stream.body.pipeThrough(new TextDecoderStream()).getReader()
let received = ''
while (!/^event: .*\n/m.test(received)) received += (await reader.read()).value

const socket = io(url, { auth: { token }, transports: ['websocket'], ca: process.env.CA })
await new Promise((resolve, reject) => socket.on('connect', resolve).on('connect_error', reject))
const transport = socket.io.engine.transport.name
socket.disconnect()

await job.upload('file', large, { name: 'large.bin' })
await reader.cancel()
const [back] = (await job.done()).files()
const metrics = await fetch(`${url}/metrics`)
const plain = await fetch(`${url}/v1/query/formats`)

console.log(
  JSON.stringify({
    head,
    firstEvent: /^event: (.*)$/m.exec(received)?.[1],
    transport,
    isComplete: back.size === large.size,
    links: new URL(back.url).origin === new URL(url).origin,
    metrics: metrics.status,
    hsts: plain.headers.has('strict-transport-security'),
  }),
)
