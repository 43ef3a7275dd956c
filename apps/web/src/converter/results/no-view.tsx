import { useTranslation } from 'react-i18next'
import { FileTile } from '../../ui/file-tile.tsx'
import type { ResultFile } from '../item.ts'
import { Frame } from './frame.tsx'
import { extensionOf } from './kind-of-file.ts'

interface NoViewProps {
  readonly file: ResultFile
  readonly isUnreachable?: boolean
}

/** Says that a file cannot be shown here. Its name and size are in the dialog, and so is the download. */
export function NoView({ file, isUnreachable = false }: NoViewProps) {
  const { t } = useTranslation('tools')
  return (
    <Frame>
      <div className="grid justify-items-center gap-3 px-6 py-8">
        <FileTile ext={extensionOf(file.name)} />
        <p className="text-center text-pretty text-muted" role="status">
          {isUnreachable ? t('result.unreachable') : t('result.none')}
        </p>
      </div>
    </Frame>
  )
}
