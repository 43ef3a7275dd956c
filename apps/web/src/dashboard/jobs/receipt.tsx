import type { Task } from '@lathe/contract'
import { Download } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../lib/formats.ts'
import { saveText } from '../../lib/save-text.ts'
import { Button } from '../../ui/button.tsx'
import { Card, Empty } from '../card.tsx'
import { numbered } from './numbered.ts'

interface ReceiptProps {
  readonly jobId: string
  readonly tasks: readonly Task[]
}

/** The proof that files are gone: their sizes and hashes, and when they were erased. It contains no names. */
export function Receipt({ jobId, tasks }: ReceiptProps) {
  const { t } = useTranslation('dashboard')
  const formats = useFormats()
  const files = tasks.flatMap(({ id, result }) => (result.files ?? []).map((file) => ({ task: id, ...file })))
  const save = () =>
    saveText(`receipt-${jobId}.json`, 'application/json', `${JSON.stringify({ job: jobId, files }, null, 2)}\n`)
  return (
    <Card>
      <div className="flex flex-wrap items-center justify-between gap-3 border-b px-5 py-4">
        <div>
          <h2 className="text-[17px] font-semibold tracking-tight">{t('receipt.title')}</h2>
          <p className="text-[13px] text-muted">{t('receipt.text')}</p>
        </div>
        <Button onClick={save}>
          <Download size={16} aria-hidden />
          {t('receipt.save')}
        </Button>
      </div>
      {files.length === 0 && <Empty title={t('receipt.none')} text={t('receipt.noneText')} />}
      {files.length > 0 && (
        <ul className="divide-y" aria-label={t('receipt.title')}>
          {numbered(files).map(({ key, sha256, size, deletedAt }) => (
            <li key={key} className="grid gap-0.5 px-5 py-3">
              <code dir="ltr" className="font-mono text-[13px] break-all">
                {sha256}
              </code>
              <span className="num text-[13px] text-muted">
                {formats.bytes(size)}
                {deletedAt && ` · ${t('receipt.erased', { when: formats.exact(new Date(deletedAt)) })}`}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
