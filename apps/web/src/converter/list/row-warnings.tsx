import { useTranslation } from 'react-i18next'
import type { Item } from '../item.ts'

// A conversion may have up to 100 warnings.
const shown = 2

/** All warnings about the result of a file: what the conversion ignored, changed or lost. */
export function warningsOf({ stage, stepWarnings = [], result }: Item): readonly string[] {
  return stage === 'done' ? [...new Set([...stepWarnings, ...(result?.warnings ?? [])])] : []
}

/** The warnings of a file. They come from the service, in English. */
export function RowWarnings({ warnings }: { readonly warnings: readonly string[] }) {
  const { t } = useTranslation('list')
  const rest = warnings.slice(shown)
  return (
    <div className="grid gap-1 text-[13px] text-warn">
      <p className="sr-only">{t('row.warnings')}</p>
      <List texts={warnings.slice(0, shown)} />
      {rest.length > 0 && (
        <details>
          <summary className="w-fit cursor-pointer rounded-control font-medium">
            {t('row.moreWarnings', { count: rest.length })}
          </summary>
          <List texts={rest} />
        </details>
      )}
    </div>
  )
}

function List({ texts }: { readonly texts: readonly string[] }) {
  return (
    <ul className="grid gap-1">
      {texts.map((text) => (
        <li key={text} lang="en" dir="auto" className="text-pretty break-words">
          {text}
        </li>
      ))}
    </ul>
  )
}
