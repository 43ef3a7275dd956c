/** The task that converts a file to a format, without its input. */
export function conversionTo(target: string) {
  return { operation: 'convert', output_format: target } as const
}
