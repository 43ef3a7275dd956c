import { useQuery } from '@tanstack/react-query'
import { queries } from '../../app/queries.ts'
import { loadFile } from './load-file.ts'

/** Loads a result, or its first bytes; the last one is kept only while it is shown. */
export function useFile(path: string, mostBytes?: number) {
  return useQuery(
    {
      queryKey: ['result', path, mostBytes],
      queryFn: ({ signal }) => loadFile(path, signal, mostBytes),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 0,
    },
    queries,
  )
}
