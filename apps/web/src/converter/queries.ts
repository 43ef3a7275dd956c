import type { ConversionRoute, FormatList, OptionSet } from '@lathe/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../api/client.ts'
import { captured, webPage } from './web-page.ts'

// The supported conversions only change with a release of the service, and then the page is reloaded.
const lasting = { staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY } as const

function conversionsQuery(source: string) {
  return queryOptions({
    ...lasting,
    queryKey: ['targets', source],
    enabled: source !== '',
    queryFn: async ({ signal }) => {
      const isPage = source === webPage.source
      const path = `/v1/query/formats/convert?input_format=${encodeURIComponent(isPage ? 'html' : source)}`
      const { formats } = await call<FormatList>(path, { signal })
      const targets = formats.filter(({ alias_of }) => alias_of === undefined)
      if (!isPage) return targets
      // What the service does with an HTML file says nothing about how long a capture takes.
      return [...captured.map((ext) => ({ ext })), ...targets.filter(({ ext }) => !captured.includes(ext))]
    },
  })
}

const namesOf = (formats: FormatList['formats']): readonly string[] => formats.map(({ ext }) => ext)

/** The target formats of a format, by extension. */
export function targetsQuery(source: string) {
  return { ...conversionsQuery(source), select: namesOf }
}

/** The median time of this conversion in seconds; undefined before the instance has done enough of them. */
export function usualTimeQuery(source: string, target: string | undefined) {
  return {
    ...conversionsQuery(source),
    select: (formats: FormatList['formats']) => formats.find(({ ext }) => ext === target)?.median_seconds,
  }
}

/** The options of a pair of formats. */
export function optionsQuery(source: string, target: string) {
  return queryOptions({
    ...lasting,
    queryKey: ['options', source, target],
    enabled: source !== '' && target !== '',
    queryFn: async ({ signal }) => {
      const pair = new URLSearchParams({ input_format: source, output_format: target })
      const { options } = await call<OptionSet>(`/v1/query/options/convert?${pair}`, { signal })
      return options
    },
  })
}

/** How a format is converted to another: directly, or in several steps. */
export function routeQuery(source: string, target: string) {
  return queryOptions({
    ...lasting,
    queryKey: ['route', source, target],
    enabled: source !== '' && target !== '',
    queryFn: ({ signal }) =>
      call<ConversionRoute>(`/v1/query/routes?${new URLSearchParams({ from: source, to: target })}`, { signal }),
  })
}
