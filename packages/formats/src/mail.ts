import type { Detected } from './detect.ts'

interface Header {
  /** Fields by lower-case name, each with its continuation lines. If a field is repeated, the first counts. */
  readonly fields: ReadonlyMap<string, string>
  /** Whether it begins with the line that mailboxes put before each message. */
  readonly hasEnvelope: boolean
  /** Whether an empty line ended the fields within the known bytes. */
  readonly isWhole: boolean
}

// Mail seldom has more than a hundred fields; reading more than this gains nothing.
const maxLines = 2000

/** Messages, mailboxes, and web pages saved as one message of related parts. */
export function detectMail(head: Uint8Array): Detected | undefined {
  // Most files do not begin with a letter and are rejected here. White space and a byte order mark may come first.
  const start = head.findIndex((byte, at) => at > 64 || !(byte <= 32 || (at < 3 && byte >= 0xbb)))
  if (start === -1 || !isLetter(head[start])) return undefined
  // Parts may be binary; the relevant fields are plain ASCII.
  const text = new TextDecoder('latin1').decode(head.subarray(start))
  const header = readHeader(text)
  if (header.hasEnvelope) {
    const isMailbox =
      isEnvelope.test(text.slice(0, 400)) || [...header.fields.keys()].some((name) => letterFields.has(name))
    return isMailbox ? { ext: 'mbox', conclusive: true, variants: ['eml', 'txt'] } : undefined
  }
  const isPage = isWebPage(header, text)
  if (!isLetterLike(header)) return isPage ? { ext: 'mhtml', conclusive: true, variants: ['eml'] } : undefined
  if (isPage && !hasTravelled(header)) return { ext: 'mhtml', conclusive: true, variants: ['eml'] }
  // These lines may also have been typed into a text, or come before a saved page.
  return { ext: 'eml', conclusive: true, variants: isPage ? ['mhtml', 'txt'] : ['txt', 'html', 'md'] }
}

// The sender, then a date as the C library prints it.
const isEnvelope = /^From \S{1,256} {1,4}(?:[A-Z][a-z]{2} ){2} ?\d{1,2} \d\d:\d\d:\d\d [^\n]{0,32}\d{4}/

const letterFields: ReadonlySet<string> = new Set([
  ...['from', 'to', 'cc', 'subject', 'date', 'sender', 'reply-to', 'received', 'message-id', 'return-path'],
  ...['delivered-to', 'newsgroups', 'mime-version', 'x-mailer', 'content-type', 'thread-topic', 'path'],
])
const people = ['from', 'to', 'received', 'message-id', 'return-path', 'delivered-to', 'newsgroups', 'sender']

function isLetterLike({ fields }: Header): boolean {
  const known = [...fields.keys()].filter((name) => letterFields.has(name)).length
  return known >= 3 && people.some((name) => fields.has(name))
}

// Browsers also write a sender and a subject, but their files are never delivered.
function hasTravelled({ fields }: Header): boolean {
  return ['received', 'message-id', 'return-path', 'delivered-to', 'to'].some((name) => fields.has(name))
}

function isWebPage({ fields, isWhole }: Header, text: string): boolean {
  const type = fields.get('content-type') ?? ''
  if (!isWhole || !fields.has('mime-version') || !/^\s*multipart\/related\b/i.test(type)) return false
  return /\btype="?text\/html/i.test(type) || /\ncontent-type:\s*text\/html/i.test(text)
}

/** Reads fields of RFC 5322 from the start of a text, up to an empty line or the first line that is not a field. */
function readHeader(text: string): Header {
  const fields = new Map<string, string>()
  const hasEnvelope = /^From \S{1,256} {1,4}[^\n]{0,80}\d\d/.test(text.slice(0, 400))
  let at = hasEnvelope ? afterLine(text, 0) : 0
  let last = ''
  for (let n = 0; n < maxLines && at < text.length; n++) {
    const next = afterLine(text, at)
    const line = text.slice(at, next).replace(/\r?\n$/, '')
    if (line === '') return { fields, hasEnvelope, isWhole: true }
    const name = addLine(fields, line, last)
    if (name === undefined) return { fields: new Map(), hasEnvelope, isWhole: false }
    last = name
    at = next
  }
  return { fields, hasEnvelope, isWhole: false }
}

/** Adds a line to the fields and returns the field it belongs to; `undefined` if it belongs to none. */
function addLine(fields: Map<string, string>, line: string, last: string): string | undefined {
  const name = /^[!-9;-~]{1,64}(?=:)/.exec(line.slice(0, 66))?.[0].toLowerCase()
  if (name !== undefined) {
    if (!fields.has(name)) fields.set(name, line.slice(name.length + 1))
    return name
  }
  if (last === '' || !/^[ \t]/.test(line)) return undefined
  const value = fields.get(last) ?? ''
  // Long fields are not worth copying for each line.
  if (value.length < 2000) fields.set(last, `${value} ${line.trim()}`)
  return last
}

function afterLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end + 1
}

function isLetter(byte = 0): boolean {
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x7a
}
