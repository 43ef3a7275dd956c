import { type Lathe, type Operation, operations } from '@lathe/sdk'
import { type CallToolResult, McpServer } from '@modelcontextprotocol/server'
import type { PathCheck } from './allowed-paths.ts'
import { mostInlineBytes } from './data-uri.ts'
import { describeOption, fail, say, toFailure } from './results.ts'
import { type FileSource, startJob, toSource } from './sources.ts'
import { toolArguments } from './tool-arguments.ts'
import type { Uploads } from './uploads.ts'
import { type Call, cancelWith, wait } from './wait.ts'

export interface McpServerParts {
  readonly lathe: Lathe
  readonly version: string
  /** Access to local files; not set over HTTP, where there is none. */
  readonly local?: LocalFiles
  /** How long a call may take, in milliseconds. */
  readonly callMs?: number
}

export interface LocalFiles {
  /** Checks which files may be read. */
  readonly checkPath: PathCheck
  readonly uploads: Uploads
}

// Clients give up after a minute by default. One that wants to wait longer calls get_job again.
const usualCallMs = 50_000

const text = (description: string) => ({ type: 'string', description })
// Files of other kinds, and longer ones, are links only.
const inline = { type: 'boolean', description: 'Also return text results up to 16 kB' }
const options = { type: 'object', description: 'By name, see get_options', additionalProperties: true }

/** Offers Lathe as tools. Files are URLs, uploads or paths; only short ones pass through the model, where it asks for that. */
export function createMcpServer({ lathe, version, local, callMs = usualCallMs }: McpServerParts): McpServer {
  const server = new McpServer({ name: 'lathe', version }, { capabilities: { tools: {} } })
  const checkPath = local?.checkPath
  const where = local ? 'URL, upload handle, path' : 'URL, upload handle'
  const file = { type: 'string', description: `${where} or data URI of the file` }

  /** Adds a tool that reports its failures to the model as text, and answers in time. */
  function tool<Args extends object>(
    name: string,
    about: {
      readonly description: string
      readonly properties: Readonly<Record<string, object>>
      readonly required?: readonly string[]
      readonly readOnly?: boolean
    },
    run: (args: Args, call: Call) => Promise<CallToolResult>,
  ): void {
    const { description, properties, required = [], readOnly = false } = about
    const inputSchema = toolArguments<Args>(properties, required)
    const annotations = { readOnlyHint: readOnly, destructiveHint: name === 'cancel_job', openWorldHint: false }
    server.registerTool(name, { description, inputSchema, annotations }, async (args, ctx) => {
      const time = AbortSignal.timeout(callMs)
      const signal = AbortSignal.any([ctx.mcpReq.signal, time])
      const call = { ctx, signal, isOver: () => time.aborted, args: args as object }
      return run(args as Args, call).catch((error: unknown) => {
        if (time.aborted) return fail(`Lathe did not answer within ${Math.round(callMs / 1000)} seconds. Try again.`)
        return toFailure(lathe, error, call.args)
      })
    })
  }

  tool<{ from?: string; to?: string; operation?: Operation }>(
    'find_formats',
    {
      description: 'Lists all formats, or those that `from` can be converted to, or `to` from.',
      properties: { from: text('A file extension'), to: text('A file extension'), operation: { enum: operations } },
      readOnly: true,
    },
    async ({ from, to, operation = 'convert' }, { signal }) => {
      const query = from || to ? { operation, ...(from ? { from } : { to: to ?? '' }) } : {}
      const { formats } = await lathe.formats(query, { signal })
      const names = formats.map(({ ext }) => ext)
      return say(names.join(' '), { formats: names })
    },
  )

  tool<{ from: string; to?: string; operation?: Operation }>(
    'get_options',
    {
      description: 'Lists the options of an operation for two formats.',
      properties: { from: text('A file extension'), to: text('A file extension'), operation: { enum: operations } },
      required: ['from'],
      readOnly: true,
    },
    async ({ from, to, operation = 'convert' }, { signal }) => {
      const set = await lathe.options(operation, { from, ...(to && { to }) } as never, { signal })
      const lines = set.options.map(describeOption)
      return say(lines.join('\n') || 'There are no options.', { options: set.options.map(({ name }) => name) })
    },
  )

  tool<{ filename: string }>(
    'request_upload',
    {
      description:
        'A form to upload a file to, by POST of multipart/form-data with these fields and `file` last. Its handle stands for the file.',
      properties: { filename: text('Name of the file') },
      required: ['filename'],
    },
    async ({ filename }, { signal }) => {
      const task = await lathe.tasks.create('import/upload', {}, { signal })
      const { form } = task.now.result
      const fields = Object.entries(form?.parameters ?? {}).map(([name, value]) => `-F '${name}=${value}'`)
      const command = `curl ${fields.join(' ')} -F 'file=@${filename.replaceAll(/[^\w.-]/g, '_')}' '${form?.url}'`
      return say(`Handle ${task.id}. Upload with: ${command}`, {
        handle: task.id,
        url: form?.url,
        fields: form?.parameters,
      })
    },
  )

  interface Work {
    readonly to?: string
    readonly options?: Record<string, unknown>
    readonly filename?: string
    readonly beside?: Readonly<Record<string, string>>
    readonly inline?: boolean
  }

  async function work(files: readonly string[], operation: Operation, given: Work, call: Call) {
    const sources: FileSource[] = files.map((one) => toSource(one, checkPath))
    const task = {
      operation,
      ...(given.to && { output_format: given.to }),
      ...(given.options && { options: given.options }),
      ...(given.filename && { filename: given.filename }),
      roles: Object.fromEntries(
        Object.entries(given.beside ?? {}).map(([role, one]) => [role, toSource(one, checkPath)]),
      ),
    }
    const { job, local: ownFiles } = await startJob(lathe, sources, task, call.signal)
    const upload = ownFiles.length > 0 ? local?.uploads.start(job, ownFiles) : undefined
    return cancelWith(call, job, upload, () => wait(lathe, job, call, upload))
  }

  const result = { options, filename: text('Name of the result') }
  tool<Work & { file: string; to: string }>(
    'convert',
    {
      description: `Converts a file. Returns links to the results, or a job for get_job. Data URIs have the form data:TYPE;name=a.png;base64,DATA and up to ${mostInlineBytes / 1000} kB.`,
      properties: { file, to: text('File extension of the result, such as pdf'), ...result, inline },
      required: ['file', 'to'],
    },
    ({ file: one, ...given }, call) => work([one], 'convert', given, call),
  )
  tool<Work & { file: string }>(
    'compress',
    { description: 'Makes a file smaller in its own format.', properties: { file, ...result }, required: ['file'] },
    ({ file: one, ...given }, call) => work([one], 'compress', given, call),
  )
  tool<Work & { files: string[] }>(
    'merge',
    {
      description: 'Merges several files into one PDF, in this order.',
      properties: { files: { type: 'array', items: file, minItems: 2, maxItems: 100 }, ...result },
      required: ['files'],
    },
    ({ files, ...given }, call) => work(files, 'merge', { ...given, to: given.to ?? 'pdf' }, call),
  )

  tool<{ url: string; to?: string; options?: Record<string, unknown> }>(
    'capture',
    {
      description: 'Captures a web page as a file.',
      properties: {
        url: text('URL of the page'),
        to: { enum: ['pdf', 'png', 'jpg', 'mhtml'], default: 'pdf' },
        // The error for an unknown option lists the others.
        options: { type: 'object', description: 'wait_for (CSS selector), full_page, paper_size, filename, …' },
      },
      required: ['url'],
    },
    async ({ url, to, options: given }, call) => {
      const page = { ...given, ...(to && { output_format: to }), operation: 'capture', url } as never
      const job = await lathe.jobs.create({ tasks: { page } }, { signal: call.signal })
      return cancelWith(call, job, undefined, () => wait(lathe, job, call))
    },
  )

  const beside = {
    type: 'object',
    additionalProperties: file,
    description: 'Further files by field: for watermark, `overlay` is the image to place.',
  }
  tool<Work & { operation: Operation; file: string; more_files?: string[] }>(
    'process',
    {
      description: 'Runs another operation on a file, such as split, ocr or transcribe.',
      properties: {
        operation: { enum: operations },
        file,
        more_files: { type: 'array', items: file, maxItems: 99, description: 'For archive: further files to pack.' },
        beside,
        to: text('File extension of the result'),
        ...result,
        inline,
      },
      required: ['operation', 'file'],
    },
    ({ operation, file: one, more_files = [], ...given }, call) => work([one, ...more_files], operation, given, call),
  )

  const job = text('Id of the job')
  tool<{ job: string; inline?: boolean }>(
    'get_job',
    {
      description: 'Returns a job and its files. Waits up to a minute.',
      properties: { job, inline },
      required: ['job'],
      readOnly: true,
    },
    async ({ job: id }, call) =>
      wait(lathe, await lathe.jobs.get(id, { signal: call.signal, patient: true }), call, local?.uploads.find(id)),
  )
  tool<{ job: string }>(
    'cancel_job',
    { description: 'Cancels the tasks of a job that have not ended.', properties: { job }, required: ['job'] },
    async ({ job: id }, { signal }) => {
      local?.uploads.find(id)?.abort()
      await (await lathe.jobs.get(id, { signal })).cancel({ signal })
      return say(`The job ${id} is canceled.`, { job: id, status: 'canceled' })
    },
  )
  return server
}
