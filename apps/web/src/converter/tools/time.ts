/** Formats a time of a recording: `1:05.25`. */
export function formatTime(seconds: number): string {
  const hundredths = Math.round(Math.max(0, seconds) * 100)
  const whole = Math.floor(hundredths / 100)
  const rest = hundredths % 100
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)]
  const two = (value: number) => String(value).padStart(2, '0')
  const clock = `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(whole % 60)}`
  return rest === 0 ? clock : `${clock}.${two(rest)}`
}

/** Reads `1:05.25`, `65.25` or `1:02:03`; undefined if it is not a time. */
export function parseTime(text: string): number | undefined {
  const parts = text.trim().replace(',', '.').split(':')
  const [last = '', ...above] = parts.toReversed()
  if (parts.length > 3 || !/^\d{1,6}(\.\d{1,3})?$/.test(last) || above.some((part) => !/^\d{1,4}$/.test(part))) {
    return undefined
  }
  return above.reduce((sum, part, n) => sum + Number(part) * 60 ** (n + 1), Number(last))
}
