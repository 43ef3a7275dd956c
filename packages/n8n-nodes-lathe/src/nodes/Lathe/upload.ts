import type { IExecuteFunctions } from 'n8n-workflow'
import { NodeOperationError } from 'n8n-workflow'
import type { UploadForm } from '../generated/types.ts'
import { callLink, isOutage } from '../shared/request.ts'

const partBytes = 8 * 2 ** 20
const tus = { 'Tus-Resumable': '1.0.0' }
const resumes = 8

interface InputFile {
  readonly name: string
  readonly size: number
  readonly chunks: AsyncIterable<Buffer>
}

/** Uploads the file of an item in parts: only one part is in memory, and a lost connection costs only one part. */
export async function upload(context: IExecuteFunctions, item: number, field: string, form: UploadForm): Promise<void> {
  const { name, size, chunks } = await openFile(context, item, field)
  const pairs = Object.entries({ ...form.parameters, filename: name })
  const metadata = pairs.map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`).join(',')
  const headers = { ...tus, 'Upload-Length': String(size), 'Upload-Metadata': metadata }
  const started = await callLink<unknown>(context, { method: 'POST', url: form.tusUrl, headers })
  const url = new URL(started.headers.location ?? '', form.tusUrl).href
  let offset = 0
  for await (const part of inParts(chunks)) {
    await sendPart(context, url, part, offset)
    offset += part.length
  }
  if (offset !== size)
    throw new NodeOperationError(context.getNode(), 'The file changed while it was sent.', { itemIndex: item })
}

/** Sends a part. If that fails, continues at the offset that the service expects. */
async function sendPart(context: IExecuteFunctions, url: string, part: Buffer, start: number): Promise<void> {
  const end = start + part.length
  let offset = start
  for (let failures = 0; offset < end; ) {
    const headers = { ...tus, 'Upload-Offset': String(offset), 'Content-Type': 'application/offset+octet-stream' }
    const body = part.subarray(offset - start)
    try {
      const sent = await callLink<unknown>(context, { method: 'PATCH', url, headers, body, timeout: 600_000 })
      offset = Number(sent.headers['upload-offset'])
    } catch (error) {
      failures += 1
      if (failures > resumes || isOutage(error)) throw error
      const known = await callLink<unknown>(context, { method: 'HEAD', url, headers: tus })
      offset = Number(known.headers['upload-offset'])
    }
  }
}

async function openFile(context: IExecuteFunctions, item: number, field: string): Promise<InputFile> {
  const binary = context.helpers.assertBinaryData(item, field)
  const name = binary.fileName ?? 'file'
  if (binary.id !== undefined) {
    const { fileSize } = await context.helpers.getBinaryMetadata(binary.id)
    return { name, size: fileSize, chunks: await context.helpers.getBinaryStream(binary.id) }
  }
  const content = Buffer.from(binary.data, 'base64')
  return { name, size: content.length, chunks: one(content) }
}

async function* one(content: Buffer): AsyncGenerator<Buffer> {
  yield content
}

async function* inParts(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let size = 0
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      const taken = chunk.subarray(at, at + partBytes - size)
      held.push(taken)
      size += taken.length
      at += taken.length
      if (size < partBytes) continue
      yield Buffer.concat(held)
      held = []
      size = 0
    }
  }
  if (size > 0) yield Buffer.concat(held)
}
