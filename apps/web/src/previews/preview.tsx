import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useBlobAddress } from '../lib/blob-address.ts'
import type { Get } from './load-preview.ts'
import { usePreview } from './use-preview.ts'

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
export function Preview({ children, ...shown }: PreviewProps) {
  const place = useRef<HTMLDivElement>(null)
  const blob = usePreview({ ...shown, isWanted: useSeen(place) })
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
