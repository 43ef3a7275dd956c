/** Longer headers than this hold no name worth having. */
const maxLength = 4096

/** One parameter of RFC 6266: `; name = token` or `; name = "quoted"`. */
const parameter = /;[ \t]*([A-Za-z0-9!#$&+.^_`|~*-]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^;"]*))/g

/** The file name a Content-Disposition header tells, raw: `filename*` before `filename`, as RFC 6266 wants. */
export function findDispositionName(header: string | undefined): string | undefined {
  if (header === undefined || header.length > maxLength) return undefined
  const values = new Map<string, string>()
  // The type may be missing from the headers of careless servers; the leading `;` makes the first parameter match then.
  for (const [, name = '', quoted, plain] of `;${header}`.matchAll(parameter)) {
    const key = name.toLowerCase()
    if (!values.has(key)) values.set(key, quoted === undefined ? (plain ?? '').trim() : unescaped(quoted))
  }
  const extended = values.get('filename*')
  return (extended && decodeExtended(extended)) || values.get('filename') || undefined
}

// Browsers keep the backslash of a Windows path sent raw; here the cleaning that follows drops folders either way.
function unescaped(quoted: string): string {
  return quoted.replace(/\\(["\\])/g, '$1')
}

/** RFC 8187: charset'language'percent-encoded. */
function decodeExtended(value: string): string | undefined {
  const [charset = '', , encoded] = value.split("'", 3)
  if (encoded === undefined) return undefined
  const bytes = Buffer.from(
    encoded.replace(/%([0-9a-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  )
  switch (charset.toLowerCase()) {
    case 'utf-8':
      return decodeUtf8(bytes)
    case 'iso-8859-1':
      return bytes.toString('latin1')
    default:
      return undefined
  }
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes).toString('utf8')
  return text.includes('\ufffd') ? undefined : text
}
