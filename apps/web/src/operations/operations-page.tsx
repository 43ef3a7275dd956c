import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { offered } from './offered.ts'

/** `/tools`: the operations other than converting. */
export function OperationsPage() {
  const { t } = useTranslation('operations')
  return (
    <div className="mx-auto max-w-[960px] px-4 py-8 sm:px-6 sm:py-10">
      <title>{t('operations.documentTitle')}</title>
      <h1 className="text-[26px] leading-tight font-semibold tracking-tight sm:text-[28px]">{t('operations.title')}</h1>
      <p className="mt-1.5 text-[15px] text-pretty text-muted">{t('operations.text')}</p>
      <ul className="mt-7 grid gap-3 sm:grid-cols-2">
        {offered.map(({ name, summary, description }) => (
          <li key={name} className="grid">
            <Link
              to="/tools/$operation"
              params={{ operation: name }}
              className="grid content-start gap-1 rounded-card border bg-surface px-4 py-3.5 shadow-card hover:bg-sunken"
            >
              <span className="font-medium">
                <bdi>{summary}</bdi>
              </span>
              <span className="text-[13px] text-pretty text-muted">
                <bdi>{description}</bdi>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
