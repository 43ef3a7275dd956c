import { Download } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../lib/formats.ts'
import { buttonClass } from '../../ui/button.tsx'
import type { Item, ResultFile } from '../item.ts'
import { ToolDialog } from '../tools/tool-dialog.tsx'
import { ImageView } from './image-view.tsx'
import { extensionOf, kindOfFile } from './kind-of-file.ts'
import { MediaView } from './media-view.tsx'
import { Pager } from './pager.tsx'
import { PagesView } from './pages-view.tsx'
import { TextView } from './text-view.tsx'

/** A file of a result, as the views show it. */
export interface ViewProps {
  readonly taskId: string
  /** Its position in the result. */
  readonly at: number
  readonly file: ResultFile
}

const views = {
  image: ImageView,
  audio: MediaView,
  video: MediaView,
  text: TextView,
  pages: PagesView,
} as const

/** Shows the files of a result: images, pages, recordings and texts. */
export function ResultDialog({ item, onClose }: { readonly item: Item; onClose(): void }) {
  const { t } = useTranslation('tools')
  const formats = useFormats()
  const [at, setAt] = useState(0)
  const { result, convertId } = item
  const files = result?.files ?? []
  const file = files[at]
  if (!file || !convertId) return null
  const View = views[kindOfFile(file.name, file.size)]
  return (
    <ToolDialog
      title={t('result.title')}
      about={file.name}
      isWide
      onClose={onClose}
      actions={
        <>
          <p className="num me-auto text-[13px] text-muted">
            <bdi>{extensionOf(file.name).toUpperCase().slice(0, 8)}</bdi> · <bdi>{formats.bytes(file.size)}</bdi>
          </p>
          {files.length > 1 && (
            <Pager
              text={t('result.file', { at: formats.count(at + 1), all: formats.count(files.length) })}
              previous={t('result.previousFile')}
              next={t('result.nextFile')}
              at={at}
              count={files.length}
              onChange={setAt}
            />
          )}
          <a href={file.path || result?.path} download className={buttonClass('primary')}>
            <Download size={16} aria-hidden />
            {t('result.download')}
          </a>
        </>
      }
    >
      <View key={at} taskId={convertId} at={at} file={file} />
    </ToolDialog>
  )
}
