import type { FormatList } from '@lathe/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { queries } from '../app/queries.ts'
import { type Get, loadPreview } from './load-preview.ts'

export interface PreviewOf {
  readonly taskId: string
  /** The position of the file in the result of its task. */
  readonly file: number
  readonly name: string
  readonly get: Get
  /** From 1. */
  readonly page?: number
  readonly isWanted?: boolean
}

/** A preview of a page of a file: undefined while it is made, null if there is none. */
export function usePreview({ taskId, file, name, get, page = 1, isWanted = true }: PreviewOf): Blob | null | undefined {
  const { data: formats, isError } = useQuery({ ...formatsQuery(get), enabled: isWanted }, queries)
  const ext = name.split('.').at(-1)?.toLowerCase() ?? ''
  const hasPreview = formats?.has(ext)
  const path = `/v1/process/tasks/${taskId}/files/${file}/preview${page > 1 ? `?page=${page}` : ''}`
  const { data, error } = useQuery(
    {
      queryKey: ['preview', taskId, file, page],
      queryFn: ({ signal }) => loadPreview(get, path, signal),
      enabled: isWanted && hasPreview === true,
      staleTime: Number.POSITIVE_INFINITY,
    },
    queries,
  )
  return isError || error || hasPreview === false ? null : data
}

/** The extensions of files with previews. Others are not asked for: each refusal would be an error in the console. */
function formatsQuery(get: Get) {
  return queryOptions({
    queryKey: ['preview-formats'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const response = await get('/v1/query/formats/thumbnail?output_format=jpg')
      const { formats } = (await response.json()) as FormatList
      return new Set(formats.map(({ ext }) => ext))
    },
  })
}
