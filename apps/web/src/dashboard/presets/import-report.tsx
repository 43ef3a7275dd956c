import { useTranslation } from 'react-i18next'
import { Notice } from '../../ui/notice.tsx'
import type { ImportOutcome } from './import-presets.ts'

/** The outcome of an import, and why presets were refused. */
export function ImportReport({ outcome }: { readonly outcome: ImportOutcome | 'wrong' }) {
  const { t } = useTranslation('presets')
  if (outcome === 'wrong') return <Notice tone="bad">{t('presetImport.wrong')}</Notice>
  const { imported, known, refused } = outcome
  return (
    <Notice tone={refused.length > 0 ? 'warn' : 'info'}>
      <p>
        {t('presetImport.done', { count: imported })}
        {known > 0 && ` ${t('presetImport.known', { count: known })}`}
        {refused.length > 0 && ` ${t('presetImport.refused', { count: refused.length })}`}
      </p>
      {refused.length > 0 && (
        <ul className="mt-1 grid list-disc gap-1 ps-5">
          {refused.map(({ name, reason }, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat, and the list never changes.
            <li key={n}>
              <bdi>{name}</bdi>: <bdi>{reason}</bdi>
            </li>
          ))}
        </ul>
      )}
    </Notice>
  )
}
