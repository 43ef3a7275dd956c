import type { FormatList } from '@lathe/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { queries } from '../app/queries.ts'
import { useBlobAddress } from '../lib/blob-address.ts'
import { type Get, loadPreview } from './load-preview.ts'

interface PreviewProps {
  readonly taskId: string
  /** The position of the file in the result of its task. */
  readonly file: number
  readonly name: string
  readonly get: Get
  /** Shown until the preview is there, and if there is none. */
  readonly children: ReactNode
}

/** A small image of a file of a task, loaded when it is seen. */
export function Preview({ taskId, file, name, get, children }: PreviewProps) {
  const place = useRef<HTMLDivElement>(null)
  const isSeen = useSeen(place)
  const { data: formats } = useQuery({ ...formatsQuery(get), enabled: isSeen }, queries)
  const ext = name.split('.').at(-1)?.toLowerCase() ?? ''
  const { data: blob } = useQuery(
    {
      queryKey: ['preview', taskId, file],
      queryFn: ({ signal }) => loadPreview(get, `/v1/process/tasks/${taskId}/files/${file}/preview`, signal),
      enabled: isSeen && formats?.has(ext) === true,
      staleTime: Number.POSITIVE_INFINITY,
    },
    queries,
  )
  const address = useBlobAddress(blob ?? undefined)
  return (
    <div ref={place} className="size-11 shrink-0" data-preview={address ? 'shown' : 'none'}>
      {address ? (
        <img
          src={address}
          alt=""
          decoding="async"
          className="size-11 rounded-control border bg-sunken object-cover object-top"
        />
      ) : (
        children
      )}
    </div>
  )
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

/** Whether an element was ever in view. */
function useSeen(place: { readonly current: Element | null }): boolean {
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    if (!place.current || isSeen) return
    const watch = new IntersectionObserver((entries) => entries.some((one) => one.isIntersecting) && setSeen(true))
    watch.observe(place.current)
    return () => watch.disconnect()
  }, [place, isSeen])
  return isSeen
}
