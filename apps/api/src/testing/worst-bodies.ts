import { authRoutes, limits, routes } from '@lathe/contract'

const MiB = 1024 ** 2

/** Costly bodies for a route that takes up to `limit` bytes, by name; and some that are larger. */
export function worstBodies(limit: number): ReadonlyMap<string, Buffer> {
  const sizes = limit > MiB ? [60_000, 4 * MiB - 100, limit - 100] : [limit - 500]
  const made = Object.entries(shapes).flatMap(([shape, make]) =>
    sizes.map((size) => [`${shape}, ${size} bytes`, make(size)] as const),
  )
  const fitting = Object.entries(jobs).filter(([, text]) => text.length <= limit)
  const tooLarge = ['fields too large', shapes.fields?.(4 * MiB) ?? ''] as const
  return new Map([...made, ...fitting, tooLarge].map(([name, text]) => [name, Buffer.from(text)]))
}

/** As many of something as fit. */
function fill(size: number, piece: (n: number) => string): string {
  const parts: string[] = []
  for (let length = 0; length < size; length += parts.at(-1)?.length ?? 1) parts.push(piece(parts.length))
  return parts.join('')
}

const shapes: Readonly<Record<string, (size: number) => string>> = {
  fields: (size) => `{${fill(size - 20, (n) => `"k${n}":{},`)}"z":1}`,
  'number-like fields': (size) => `{${fill(size - 20, (n) => `"${(n * 65_536 * 7) % 4_294_967_291}":0,`)}"z":1}`,
  'long fields': (size) => `{${fill(size - 400, (n) => `"${String(n).padEnd(250, 'x')}":0,`)}"z":1}`,
  'options of a task': (size) =>
    `{"input":"x","output_format":"png","options":{${fill(size - 80, (n) => `"o${n}":1,`)}"z":1}}`,
  items: (size) => `[${fill(size - 20, () => '0,')}0]`,
  objects: (size) => `[${fill(size - 20, () => '{},')}0]`,
  nests: (size) => `[${fill(size - 80, () => `${'['.repeat(30)}${']'.repeat(30)},`)}0]`,
  brackets: (size) => '['.repeat(size),
  texts: (size) => `[${fill(size - 20, () => '"",')}0]`,
  quotes: (size) => '"'.repeat(size),
  text: (size) => `{"tag":"${'x'.repeat(size - 20)}","name":"x"}`,
  'wide text': (size) => `{"tag":"${'€'.repeat((size - 20) / 3)}"}`,
  escapes: (size) => `{"tag":"${'\\n'.repeat((size - 20) / 2)}"}`,
  'escaped quotes': (size) => `{"name":"${'\\"'.repeat((size - 20) / 2)}"}`,
  blanks: (size) => `${' '.repeat(size - 2)}{}`,
  digits: (size) => `{"tag":${'1'.repeat(size - 20)}}`,
  fractions: (size) => `[${fill(size - 300, () => `0.${'1'.repeat(250)},`)}0]`,
}

function jobOf(tasks: number, task: (n: number) => string): string {
  const others = Array.from({ length: tasks }, (_, n) => `"t${n}":${task(n)}`)
  return `{"tasks":{"u":{"operation":"import/upload"},${others.join()}}}`
}

const unknown = (count: number) => Array.from({ length: count }, (_, n) => `"o${n}":1`).join()

/** Jobs that have to be read to the end, or nearly. */
const jobs: Readonly<Record<string, string>> = {
  'ten files in base64': jobOf(
    10,
    () => `{"operation":"import/base64","filename":"a.txt","file":"data:;base64,${'A'.repeat(1_572_864)}"}`,
  ),
  'a file in base64': `{"filename":"a.txt","file":"data:;base64,${'A'.repeat(1_572_864)}"}`,
  'a file that is not base64': `{"filename":"a.txt","file":"data:;base64,${'A'.repeat(1_572_860)}-_=="}`,
  'a job of 89,000 inputs': jobOf(
    99,
    () =>
      `{"operation":"merge","input":[${Array(900)
        .fill(`"${'f'.repeat(24)}"`)
        .join()}]}`,
  ),
  'a job of wrong inputs': jobOf(99, () => `{"operation":"merge","input":[${Array(20).fill('"nope"').join()}]}`),
  'a job of wrong options': jobOf(99, () => `{"operation":"compress","input":"u","options":{${unknown(95)}}}`),
  'a job of one wrong option each': jobOf(99, () => `{"operation":"compress","input":"u","options":{"o":1}}`),
  'a job of wrong formats': jobOf(99, () => `{"operation":"convert","input":"u","output_format":"zip"}`),
  'a job of long addresses': jobOf(
    99,
    (n) => `{"operation":"import/url","url":"http://a.example/${n}${'%41'.repeat(2700)}"}`,
  ),
  'a job where all wait for all': jobOf(
    99,
    (n) =>
      `{"operation":"merge","output_format":"pdf","input":[${Array.from({ length: 20 }, (_, k) => `"t${(n + k) % 99}"`).join()}]}`,
  ),
  '3,000 messages in one': `[${Array(3000).fill('{"jsonrpc":"2.0","id":1,"method":"tools/list"}').join()}]`,
}

/** An endpoint with ids in its path, and the largest body it takes. */
export interface Target {
  readonly method: string
  readonly url: string
  readonly limit: number
}

/** Every endpoint of /v1, /auth and /mcp. Without event streams, whose answers have no end. */
export function allTargets(): readonly Target[] {
  const open = Object.values(routes).filter(({ resumes }) => !resumes)
  const table = [
    ...open.map(({ bodyBytes = limits.bodyBytes, ...route }) => ({ ...route, limit: bodyBytes })),
    ...Object.values(authRoutes).map((route) => ({ ...route, limit: 16_384 })),
    { method: 'POST', path: '/mcp', limit: limits.mcpBodyBytes },
  ]
  return table.map(({ method, path, limit }) => ({ method, url: path.replace(/\{\w+\}/g, 'f'.repeat(24)), limit }))
}
