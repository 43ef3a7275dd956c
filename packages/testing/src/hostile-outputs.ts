/** Bytes that an engine under an attacker's control may print. */
export interface HostileOutput {
  readonly name: string
  readonly bytes: Buffer
}

const MiB = 1024 * 1024

/**
 * Yields `count` hostile outputs, the same for the same seed: text that no store accepts, false protocol messages and
 * noise.
 */
export function* hostileOutputs(count: number, seed: number): Generator<HostileOutput> {
  const chance = createChance(seed)
  for (let n = 0; n < count; n++) {
    const [name, make] = kinds[n % kinds.length] as (typeof kinds)[number]
    // Most outputs are short; only a few test the size.
    yield { name: `${name} ${n}`, bytes: make(chance, n % 500 < kinds.length ? MiB : 200) }
  }
}

interface Chance {
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number
  pick<T>(from: readonly T[]): T
}

// An engine may print anything, but a few characters cause most of the harm.
const pieces = [
  '\0',
  'A\0B',
  '\ud800',
  '\udfff',
  '\ud83d',
  '\u0001\u001b[2J\u0007',
  '\u0085\u009b',
  '\ufeff\ufffe\uffff',
  '\u202e\u2066',
  '\r',
  '\n',
  '\t',
  '\\u0000',
  '\\ud800',
  '"',
  '\\',
  '%s%n',
  "'; drop table tasks; --",
  '<script>',
  '../../etc/passwd',
  'é',
  '\u{10ffff}',
  'Error: ',
  'frame=  1 time=99:99:99.99',
  'x',
] as const

const codes = [
  'input_damaged',
  'input_encrypted',
  'unsupported',
  'limit_exceeded',
  'engine_crashed',
  'internal',
  '__proto__',
  '',
] as const

type Make = (chance: Chance, size: number) => Buffer

const kinds: readonly (readonly [name: string, make: Make])[] = [
  ['text', (chance, size) => Buffer.from(someText(chance, size), 'utf8')],
  [
    'invalid UTF-8',
    (chance, size) => Buffer.from(Array.from({ length: Math.min(size, 4096) }, () => chance.below(256))),
  ],
  [
    'half a character',
    (chance) => Buffer.concat([Buffer.from('é'.repeat(chance.below(9))), Buffer.from([0xf0, 0x9f, 0x98])]),
  ],
  ['a long line', (chance, size) => Buffer.alloc(size + chance.below(size), chance.pick(['x', ' ', '\0', '{']))],
  [
    'many lines',
    (chance, size) => Buffer.from(`${chance.pick(['\n', 'x\n', '{}\n', '\r\n'])}`.repeat(Math.ceil(size / 3))),
  ],
  [
    'a failed reply',
    (chance, size) =>
      line({
        id: anId(chance),
        ok: false,
        code: chance.pick(codes),
        text: someText(chance, size),
        detail: someText(chance, size),
      }),
  ],
  [
    'a reply with warnings',
    (chance, size) => line({ id: anId(chance), ok: true, result: { warnings: someWarnings(chance, size) } }),
  ],
  [
    'a reply with odd values',
    (chance) =>
      line({
        id: anId(chance),
        ok: true,
        result: Object.fromEntries(fields.map((field) => [field, oddValue(chance)])),
      }),
  ],
  ['odd progress', (chance) => line({ id: anId(chance), progress: oddValue(chance) })],
  [
    'nested JSON',
    (chance, size) =>
      Buffer.from(`{"id":1,"ok":true,"result":${'['.repeat(size)}${chance.below(2) ? ']'.repeat(size) : ''}}\n`),
  ],
  [
    'deep result',
    (chance, size) =>
      Buffer.from(
        `{"id":1,"ok":true,"result":{"warnings":[${'{"a":'.repeat(size)}1${'}'.repeat(size)}]}}\n${chance.below(2) ? '{' : ''}`,
      ),
  ],
  ['a report', (chance) => line(oddReport(chance, 3))],
  [
    'protocol out of turn',
    (chance) =>
      Buffer.concat([line({ ready: true }), line({ ready: oddValue(chance) }), line({ id: 2, ok: true, result: {} })]),
  ],
  [
    'special names',
    (chance) =>
      Buffer.from(
        `{"__proto__":{"ok":true,"id":1},"id":1,"ok":true,"result":{"__proto__":${chance.below(9)},"constructor":null,"warnings":[]}}\n`,
      ),
  ],
]

const fields = [
  'warnings',
  'pages',
  'width',
  'height',
  'files',
  'sizes',
  'text',
  'count',
  'format',
  'outputs',
  'names',
  'total',
  'duration',
  'toString',
  'length',
] as const

function line(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`)
}

function anId(chance: Chance): unknown {
  return chance.below(4) > 0 ? 1 : chance.pick([0, 2, -1, 1e308, '1', null, [1], true])
}

function someText(chance: Chance, size: number): string {
  const parts = Array.from({ length: 1 + chance.below(12) }, () => chance.pick(pieces))
  const text = parts.join('')
  return size > 1000 ? text.repeat(Math.ceil(size / Math.max(1, text.length))) : text
}

// Names that the parsers of probes and reports look for.
const reported = [
  'streams',
  'format',
  'chapters',
  'tags',
  'disposition',
  'codec_type',
  'codec_name',
  'duration',
  'width',
  'height',
  'warnings',
  'dialect',
  'pages',
  'rotate',
  'side_data_list',
  'nb_streams',
  'format_name',
  'channels',
  'r_frame_rate',
] as const

function oddReport(chance: Chance, depth: number): unknown {
  if (depth === 0 || chance.below(3) === 0)
    return chance.pick<() => unknown>([() => oddValue(chance), () => 'video', () => 'audio', () => '1/0'])()
  if (chance.below(3) === 0) return Array.from({ length: chance.below(4) }, () => oddReport(chance, depth - 1))
  return Object.fromEntries(
    Array.from({ length: 1 + chance.below(8) }, () => [chance.pick(reported), oddReport(chance, depth - 1)]),
  )
}

function someWarnings(chance: Chance, size: number): unknown {
  return chance.pick<() => unknown>([
    () => [someText(chance, size)],
    () => Array.from({ length: 300 }, () => someText(chance, 100)),
    () => [oddValue(chance), oddValue(chance), 'a warning'],
    () => oddValue(chance),
  ])()
}

function oddValue(chance: Chance): unknown {
  return chance.pick<() => unknown>([
    () => ({ toString: 1 }),
    () => ({ toString: 1, valueOf: 1, toJSON: 1 }),
    () => ({ length: 1e9 }),
    () => null,
    () => -1,
    () => 1e308,
    () => 0.5,
    () => 2 ** 53,
    () => true,
    () => '',
    () => someText(chance, 50),
    () => [],
    () => [[[]]],
    () => ['../../x', '/etc/passwd', '\0'],
    () => JSON.parse('{"then":1}'),
    () => [{ toString: 1 }, { width: -1, height: 'x' }],
  ])()
}

// mulberry32.
function createChance(seed: number): Chance {
  let state = seed | 0
  const below = (limit: number) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit)
  }
  return { below, pick: (from) => from[below(from.length)] as (typeof from)[number] }
}
