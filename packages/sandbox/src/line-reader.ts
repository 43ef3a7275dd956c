/** Splits bytes into lines without ever holding more than one line of the allowed length. */
export interface LineReader {
  /** The lines this chunk completes, or 'overlong' once a line is longer than allowed. */
  push(chunk: Buffer): readonly string[] | 'overlong'
}

/** Makes a reader that refuses lines beyond `maxLength` bytes. */
export function createLineReader(maxLength: number): LineReader {
  let open: Buffer[] = []
  let openLength = 0

  function take(part: Buffer): string {
    const line = open.length === 0 ? part : Buffer.concat([...open, part])
    open = []
    openLength = 0
    return line.toString('utf8')
  }

  return {
    push(chunk) {
      const lines: string[] = []
      let start = 0
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
        if (openLength + end - start > maxLength) return 'overlong'
        lines.push(take(chunk.subarray(start, end)))
        start = end + 1
      }
      const rest = chunk.subarray(start)
      openLength += rest.length
      if (openLength > maxLength) return 'overlong'
      if (rest.length > 0) open.push(rest)
      return lines
    },
  }
}
