import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useBlobAddress } from '../../lib/blob-address.ts'
import { Frame } from './frame.tsx'
import { kindOfFile } from './kind-of-file.ts'
import { NoView } from './no-view.tsx'
import { PagesView } from './pages-view.tsx'
import type { ViewProps } from './result-dialog.tsx'
import { useFile } from './use-file.ts'

/** Plays a recording or a video; if the browser cannot, it shows an image of it. */
export function MediaView(props: ViewProps) {
  const { t } = useTranslation('tools')
  const { file } = props
  const [isBroken, setBroken] = useState(false)
  const { data, isError } = useFile(file.path)
  const address = useBlobAddress(data)
  if (isError) return <NoView file={file} isUnreachable />
  if (isBroken) {
    return (
      <>
        <p className="text-[13px] text-warn">{t('result.unplayable')}</p>
        <PagesView {...props} />
      </>
    )
  }
  const isVideo = kindOfFile(file.name, file.size) === 'video'
  const Player = isVideo ? 'video' : 'audio'
  return (
    <Frame isLoading={!address}>
      {address && (
        <Player
          src={address}
          controls
          aria-label={t('result.player')}
          className={isVideo ? 'max-h-[62dvh] w-full bg-black' : 'w-full px-4'}
          onError={() => setBroken(true)}
        />
      )}
    </Frame>
  )
}
