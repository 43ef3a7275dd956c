/** A client of an installation at https://localhost: `visitor.ts convert <key>` or `visitor.ts download <link>`; prints JSON. */
import { readFileSync } from 'node:fs'

const api = 'https://localhost'
const fixtures = new URL('../../fixtures/', import.meta.url)
const [action, word = ''] = process.argv.slice(2)

interface Task {
  readonly id: string
  readonly status: string
  readonly result: { readonly url?: string }
}

const links = new Map([['convert', convert]])
const link = (await links.get(action ?? '')?.(word)) ?? word
console.log(JSON.stringify({ link, bytes: await download(link) }))

async function convert(key: string): Promise<string> {
  const page = await fetch(`${api}/docs`)
  if (!page.ok) throw new Error(`the page of the API answers ${page.status}`)
  const pdf = await run(key, 'convert', { input: await bringIn(key, 'letter.docx'), output_format: 'pdf' })
  await run(key, 'export/url', { input: [pdf.id] })
  const webp = await run(key, 'convert', { input: await bringIn(key, 'photo-100k.jpg'), output_format: 'webp' })
  const exported = await run(key, 'export/url', { input: [webp.id] })
  return exported.result.url ?? ''
}

async function bringIn(key: string, name: string): Promise<string> {
  const content = readFileSync(new URL(name, fixtures)).toString('base64')
  const task = await run(key, 'import/base64', {
    file: `data:application/octet-stream;base64,${content}`,
    filename: name,
  })
  return task.id
}

async function run(key: string, operation: string, body: object): Promise<Task> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', prefer: 'wait=60' }
  const response = await fetch(`${api}/v1/process/${operation}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  const task = (await response.json()) as Task
  if (task.status !== 'completed') throw new Error(`${operation}: ${response.status} ${JSON.stringify(task)}`)
  return task
}

async function download(url: string): Promise<number> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`the download answers ${response.status}`)
  return (await response.bytes()).length
}
