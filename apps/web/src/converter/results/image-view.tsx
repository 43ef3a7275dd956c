import { useMemo, useState } from 'react'
import { useBlobAddress } from '../../lib/blob-address.ts'
import { Frame } from './frame.tsx'
import { mediaTypeOf } from './kind-of-file.ts'
import { NoView } from './no-view.tsx'
import type { ViewProps } from './result-dialog.tsx'
import { useFile } from './use-file.ts'

/** An image as the browser draws it. */
export function ImageView({ file }: ViewProps) {
  const [isBroken, setBroken] = useState(false)
  const { data, isError } = useFile(file.path)
  const blob = useMemo(() => data && new Blob([data], { type: mediaTypeOf(file.name) ?? '' }), [data, file.name])
  const address = useBlobAddress(blob)
  if (isError || isBroken) return <NoView file={file} isUnreachable={isError} />
  return (
    <Frame isLoading={!address}>
      {address && (
        <img
          src={address}
          alt={file.name}
          className="checkered max-h-[62dvh] max-w-full object-contain"
          onError={() => setBroken(true)}
        />
      )}
    </Frame>
  )
}
