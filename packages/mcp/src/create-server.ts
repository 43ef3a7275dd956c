import { type JobHandle, type Lathe, type Operation, operations } from '@lathe/sdk'
import { type CallToolResult, fromJsonSchema, McpServer, type ServerContext } from '@modelcontextprotocol/server'
import type { PathCheck } from './allowed-paths.ts'
import { describeOption, say, toFailure, toJobResult } from './results.ts'
import { type FileSource, startJob, toSource } from './sources.ts'

export interface McpServerParts {
  readonly lathe: Lathe
  readonly version: string
  /** Which files of this machine may be read; none over HTTP. */
  readonly checkPath?: PathCheck
}

// No call takes longer than a minute: whoever waits longer asks again.
const mostWaitMs = 50_000

const text = (description: string) => ({ type: 'string', description, maxLength: 4096 })
const options = { type: 'object', description: 'By name, see get_options', additionalProperties: true }

/** Lathe as tools. Files are addresses, uploads or paths; their bytes never pass through the model. */
export function createMcpServer({ lathe, version, checkPath }: McpServerParts): McpServer {
  const server = new McpServer({ name: 'lathe', version }, { capabilities: { tools: {} } })
  const where = checkPath ? 'URL, upload handle or path' : 'URL or upload handle'
  const file = text(`${where} of the file`)

  /** Adds a tool that reports its failures to the model as text, and answers in time. */
  function tool<Args extends object>(
    name: string,
    about: {
      readonly description: string
      readonly properties: object
      readonly required?: readonly string[]
      readonly readOnly?: boolean
    },
    run: (args: Args, ctx: ServerContext) => Promise<CallToolResult>,
  ): void {
    const { description, properties, required = [], readOnly = false } = about
    const inputSchema = fromJsonSchema<Args>({
      type: 'object',
      properties,
      required,
      additionalProperties: false,
    } as never)
    const annotations = { readOnlyHint: readOnly, destructiveHint: name === 'cancel_job', openWorldHint: false }
    server.registerTool(name, { description, inputSchema, annotations }, async (args, ctx) =>
      run(args as Args, ctx).catch((error: unknown) => toFailure(lathe, error, formatsIn(args as object))),
    )
  }

  tool<{ from?: string; to?: string; operation?: Operation }>(
    'find_formats',
    {
      description: 'Lists all formats, or those that `from` can be converted to, or `to` from.',
      properties: { from: text('A file extension'), to: text('A file extension'), operation: { enum: operations } },
      readOnly: true,
    },
    async ({ from, to, operation = 'convert' }) => {
      const { formats } = await lathe.formats(from || to ? { operation, ...(from ? { from } : { to: to ?? '' }) } : {})
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
    async ({ from, to, operation = 'convert' }) => {
      const set = await lathe.options(operation, { from, ...(to && { to }) } as never)
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
    async ({ filename }) => {
      const task = await lathe.tasks.create('import/upload', {})
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
  }

  async function work(files: readonly string[], operation: Operation, given: Work, ctx: ServerContext) {
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
    const signal = AbortSignal.any([ctx.mcpReq.signal, AbortSignal.timeout(mostWaitMs)])
    return wait(lathe, await startJob(lathe, sources, task, signal), ctx, signal)
  }

  const result = { options, filename: text('Name of the result') }
  tool<Work & { file: string; to: string }>(
    'convert',
    {
      description: 'Converts a file. Returns links to the results, or a job for get_job.',
      properties: { file, to: text('File extension of the result, such as pdf'), ...result },
      required: ['file', 'to'],
    },
    ({ file: one, ...given }, ctx) => work([one], 'convert', given, ctx),
  )
  tool<Work & { file: string }>(
    'compress',
    { description: 'Makes a file smaller in its own format.', properties: { file, ...result }, required: ['file'] },
    ({ file: one, ...given }, ctx) => work([one], 'compress', given, ctx),
  )
  tool<Work & { files: string[] }>(
    'merge',
    {
      description: 'Merges several files into one PDF, in this order.',
      properties: { files: { type: 'array', items: file, minItems: 2, maxItems: 100 }, ...result },
      required: ['files'],
    },
    ({ files, ...given }, ctx) => work(files, 'merge', { ...given, to: given.to ?? 'pdf' }, ctx),
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
    async ({ url, to, options: given }, ctx) => {
      const signal = AbortSignal.any([ctx.mcpReq.signal, AbortSignal.timeout(mostWaitMs)])
      const page = { ...given, ...(to && { output_format: to }), operation: 'capture', url } as never
      return wait(lathe, await lathe.jobs.create({ tasks: { page } }, { signal }), ctx, signal)
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
      },
      required: ['operation', 'file'],
    },
    ({ operation, file: one, more_files = [], ...given }, ctx) => work([one, ...more_files], operation, given, ctx),
  )

  const job = text('Id of the job')
  tool<{ job: string }>(
    'get_job',
    {
      description: 'Returns a job and its files. Waits up to a minute.',
      properties: { job },
      required: ['job'],
      readOnly: true,
    },
    async ({ job: id }, ctx) => {
      const signal = AbortSignal.any([ctx.mcpReq.signal, AbortSignal.timeout(mostWaitMs)])
      return wait(lathe, await lathe.jobs.get(id, { signal }), ctx, signal)
    },
  )
  tool<{ job: string }>(
    'cancel_job',
    { description: 'Cancels the tasks of a job that have not ended.', properties: { job }, required: ['job'] },
    async ({ job: id }) => {
      await (await lathe.jobs.get(id)).cancel()
      return say(`The job ${id} is canceled.`, { job: id, status: 'canceled' })
    },
  )
  return server
}

/** Waits for a job as long as a call may take, and tells how far it is. */
async function wait(
  lathe: Lathe,
  job: JobHandle,
  { mcpReq }: ServerContext,
  signal: AbortSignal,
): Promise<CallToolResult> {
  const progressToken = mcpReq._meta?.progressToken
  let last = -1
  try {
    await job.done({
      signal,
      evenIfFailed: true,
      onEvent({ type, data }) {
        const percent = type === 'task.progress' && 'task' in data ? (data.task.progress?.percent ?? 0) : undefined
        if (progressToken === undefined || percent === undefined || percent <= last) return
        last = percent
        const params = { progressToken, progress: percent, total: 100 }
        void mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined)
      },
    })
  } catch (error) {
    mcpReq.signal.throwIfAborted()
    if (!signal.aborted) throw error
    return toJobResult(await lathe.jobs.get(job.id))
  }
  return toJobResult(job)
}

function formatsIn(args: object): readonly string[] {
  return Object.entries(args).flatMap(([name, value]) => (name === 'from' || name === 'to' ? [String(value)] : []))
}
