import { layersOf } from './layers.ts'

/** Every way a token may have been written down. */
function spellingsOf(token: string): readonly Buffer[] {
  const utf8 = Buffer.from(token)
  const utf16 = Buffer.from(token, 'utf16le')
  const plain = [utf8, utf16, Buffer.from(utf16).swap16()]
  return [
    ...plain,
    ...plain.flatMap((bytes) => [bytes.toString('hex'), bytes.toString('hex').toUpperCase()]).map(toBuffer),
    ...[0, 1, 2]
      .flatMap((shift) => [base64At(utf8, shift, 'base64'), base64At(utf8, shift, 'base64url')])
      .map(toBuffer),
    Buffer.from([...utf8].reverse()),
  ]
}

/** What base64 makes of the bytes when they stand at that place within a group of three; the ends vary and are cut. */
function base64At(bytes: Buffer, shift: number, encoding: 'base64' | 'base64url'): string {
  return Buffer.concat([Buffer.alloc(shift), bytes])
    .toString(encoding)
    .slice(4, -4)
}

function toBuffer(text: string): Buffer {
  return Buffer.from(text)
}

/** The tokens that a file holds, in whatever spelling, packed however deep. */
export function findTokens(bytes: Uint8Array, tokens: readonly string[]): readonly string[] {
  const wanted = tokens.map((token) => ({ token, spellings: spellingsOf(token) }))
  const found = new Set<string>()
  for (const layer of layersOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))) {
    for (const { token, spellings } of wanted) {
      if (spellings.some((spelling) => layer.includes(spelling))) found.add(token)
    }
  }
  return [...found]
}
