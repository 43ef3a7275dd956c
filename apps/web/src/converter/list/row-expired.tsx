import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { canSendAgain } from '../expiry.ts'
import type { Item } from '../item.ts'
import { takeApart } from '../merging.ts'
import { readName } from '../read-name.ts'
import { convert } from '../running.ts'
import { blobs, replaceItems } from '../state.ts'

/** Explains that a result has been deleted, and offers to convert the file again. */
export function RowExpired({ item }: { readonly item: Item }) {
  const { t } = useTranslation('list')
  const input = useRef<HTMLInputElement>(null)
  const { id, name, source, parts } = item
  const isMerged = parts !== undefined
  const hasFile = isMerged || canSendAgain(item)
  const again = () => {
    if (isMerged) takeApart(id)
    else if (hasFile) void convert([id])
    else input.current?.click()
  }
  const action = isMerged ? t('row.apartShort') : hasFile ? t('row.againShort') : t('row.chooseShort')
  const label = `${action}: ${name}`
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <p className="min-w-0 flex-1 basis-60 text-[13px] text-pretty text-muted">
        {hasFile ? t('row.expired') : t('row.expiredGone')}
      </p>
      <Button size="small" aria-label={label} onClick={again}>
        {action}
      </Button>
      {!hasFile && (
        <input
          ref={input}
          type="file"
          hidden
          aria-label={label}
          accept={source && `.${source}`}
          onChange={({ target }) => target.files?.[0] && convertAgain(id, target.files[0])}
        />
      )}
    </div>
  )
}

function convertAgain(id: string, file: File): void {
  blobs.set(id, file)
  const { name, size } = file
  replaceItems([id], (item) => ({ ...item, name, size, ...readName(name) }))
  void convert([id])
}
