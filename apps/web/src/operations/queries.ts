import type { FormatList, OptionSet } from '@lathe/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../api/client.ts'

/** The formats an operation can write for a source format. */
export function resultsQuery(operation: string, source: string) {
  return queryOptions({
    queryKey: ['results', operation, source],
    enabled: source !== '',
    retry: false,
    queryFn: async ({ signal }) => {
      const path = `/v1/query/formats/${operation}?input_format=${encodeURIComponent(source)}`
      const { formats } = await call<FormatList>(path, { signal })
      return formats.filter(({ alias_of }) => alias_of === undefined).map(({ ext }) => ext)
    },
  })
}

/** The options of an operation on a format. */
export function operationOptionsQuery(operation: string, source: string, target: string | undefined) {
  return queryOptions({
    queryKey: ['options', operation, source, target ?? ''],
    enabled: source !== '',
    retry: false,
    queryFn: async ({ signal }) => {
      const pair = new URLSearchParams({ input_format: source, ...(target && { output_format: target }) })
      const { options } = await call<OptionSet>(`/v1/query/options/${operation}?${pair}`, { signal })
      return options
    },
  })
}
