import type { Lathe, Operation } from '@lathe/sdk'
import { didYouMean, RequestError } from '@lathe/sdk'
import { UsageError } from '../exit-codes.ts'
import { asFlag } from '../option-flags.ts'
import { writeLines, writeTable } from '../write.ts'

export interface FormatsFlags {
  readonly operation: Operation
  readonly to?: string
  readonly json?: boolean
}

/** All formats, or what one can become or come from. */
export async function showFormats(
  lathe: Lathe,
  from: string | undefined,
  { operation, to, json }: FormatsFlags,
): Promise<void> {
  if (from && to) throw new UsageError('Give a format, or --to a format, not both.')
  if (from ?? to) await checkFormat(lathe, (from ?? to) as string)
  const query = from || to ? { operation, ...(from && { from }), ...(to && { to }) } : {}
  const { formats } = await lathe.formats(query)
  if (json) return writeLines(formats.map((format) => JSON.stringify(format)))
  writeLines(formats.map(({ ext }) => ext))
}

async function checkFormat(lathe: Lathe, name: string): Promise<void> {
  const { formats } = await lathe.formats()
  const known = formats.map(({ ext }) => ext)
  if (!known.includes(name.toLowerCase())) {
    throw new UsageError(`Lathe knows no format ${name}.${didYouMean(name.toLowerCase(), known)} See: lathe formats`)
  }
}

/** The options of a pair of formats, as flags. */
export async function showOptions(
  lathe: Lathe,
  from: string,
  to: string | undefined,
  { operation, json }: Omit<FormatsFlags, 'to'>,
): Promise<void> {
  await checkFormat(lathe, from)
  if (to) await checkFormat(lathe, to)
  const { options } = await lathe.options(operation, { from, ...(to && { to }) } as never).catch((error) => {
    const lacksTarget = error instanceof RequestError && error.errors.some(({ path }) => path === 'output_format')
    throw lacksTarget && !to ? new UsageError(`Say into what: lathe options ${from} pdf`) : error
  })
  if (json) return writeLines(options.map((option) => JSON.stringify(option)))
  if (options.length === 0) return writeLines(['There are no options.'])
  writeTable(
    options.map(({ name, type, data_type, enum_values = [], properties = {}, default_value, units, hint }) => {
      const { min, max } = properties
      const range = min !== undefined && max !== undefined ? `${min}–${max}` : data_type
      const values = type === 'enum' ? enum_values.map(({ value }) => value).join('|') : range
      return [asFlag(name), `${values}${units ? ` ${units}` : ''}`, default_value && `default ${default_value}`, hint]
    }),
  )
}
