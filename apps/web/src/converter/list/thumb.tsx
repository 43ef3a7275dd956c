import { useEffect, useState } from 'react'
import { getOwn } from '../../previews/get-own.ts'
import { Preview } from '../../previews/preview.tsx'
import { FileTile } from '../../ui/file-tile.tsx'
import type { Item } from '../item.ts'
import { blobs } from '../state.ts'

// Formats that every browser can show.
const shown = new Set(['jpg', 'png', 'gif', 'webp', 'avif', 'bmp', 'ico', 'svg'])
// Larger files take too long to decode for a thumbnail.
const largest = 20_000_000

/** A thumbnail of the file or of its result, or its extension. */
export function Thumb({ item }: { readonly item: Item }) {
  const [address, setAddress] = useState<string>()
  const { id, source, size } = item
  useEffect(() => {
    const blob = blobs.get(id)
    if (!blob || !shown.has(source) || size > largest) return setAddress(undefined)
    const made = URL.createObjectURL(blob)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [id, source, size])
  if (address) {
    return (
      <img
        src={address}
        alt=""
        decoding="async"
        className="size-11 rounded-control bg-sunken object-cover"
        onError={() => setAddress(undefined)}
      />
    )
  }
  const tile = <FileTile ext={source} />
  const [result] = item.stage === 'done' ? (item.result?.files ?? []) : []
  if (!result || !item.convertId) return tile
  return (
    <Preview taskId={item.convertId} file={0} name={result.name} get={getOwn}>
      {tile}
    </Preview>
  )
}
