import { layersOf } from './layers.ts'

/** Every encoding in which a token may appear. */
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

/** The base64 text of the bytes at that offset within a group of three; the ends vary and are cut off. */
function base64At(bytes: Buffer, shift: number, encoding: 'base64' | 'base64url'): string {
  return Buffer.concat([Buffer.alloc(shift), bytes])
    .toString(encoding)
    .slice(4, -4)
}

function toBuffer(text: string): Buffer {
  return Buffer.from(text)
}

/** The tokens in a file, in any encoding, at any depth of packing. */
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
