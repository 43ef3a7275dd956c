/** Whether an `Accept` header allows JSON. The most specific range that matches decides. */
export function acceptsJson(header: string | undefined): boolean {
  if (header === undefined || header.trim() === '') return true
  const quality = new Map(header.split(',').map(parseMediaRange))
  for (const range of ['application/json', 'application/*', '*/*']) {
    const q = quality.get(range)
    if (q !== undefined) return q > 0
  }
  return false
}

function parseMediaRange(text: string): [range: string, quality: number] {
  const [range = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const q = parameters.find((parameter) => parameter.startsWith('q='))
  return [range, q === undefined ? 1 : Number(q.slice(2)) || 0]
}
