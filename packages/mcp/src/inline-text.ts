import type { ResultFile } from '@lathe/sdk'
import type { CallToolResult } from '@modelcontextprotocol/server'

// What a model can read along with its other work. Larger results remain links.
const mostBytes = 16_000

type File = Pick<ResultFile, 'name' | 'size' | 'bytes'>

/** Adds the text of results to an answer, up to 16 kB together, and says which are left out. */
export async function withText(
  result: CallToolResult,
  files: readonly File[],
  signal: AbortSignal,
): Promise<CallToolResult> {
  const content = [...result.content]
  let left = mostBytes
  for (const file of files) {
    const text = await readText(file, left, signal)
    if (text.isRead) left -= file.size
    content.push({ type: 'text', text: text.isRead ? `Content of ${file.name}:\n${text.text}` : text.text })
  }
  return { ...result, content }
}

async function readText(file: File, most: number, signal: AbortSignal) {
  const leftOut = (why: string) => ({ isRead: false, text: `${file.name} is not included: ${why}` })
  if (file.size > most) return leftOut(`at most ${mostBytes / 1000} kB of text are. Use its link.`)
  try {
    const text = decode(await file.bytes({ signal }))
    return text === undefined ? leftOut('it is not text.') : { isRead: true, text }
  } catch (error) {
    // The conversion has succeeded: its link is worth more than the error.
    return leftOut(`${error instanceof Error ? error.message : String(error)} Use its link.`)
  }
}

/** UTF-8 without the control characters that only binary files have. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return /^[^\p{Cc}]*$/u.test(text.replaceAll(/[\t\n\f\r]/g, '')) ? text : undefined
  } catch {
    return undefined
  }
}
