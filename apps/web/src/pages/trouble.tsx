import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Button, buttonClass } from '../ui/button.tsx'

/** The page for unknown paths. */
export function NotFound() {
  const { t } = useTranslation()
  return (
    <section className="mx-auto max-w-md px-6 py-24 text-center">
      <h1 className="text-[22px] font-semibold tracking-tight">{t('trouble.notFound')}</h1>
      <p className="mt-2 text-muted">{t('trouble.notFoundText')}</p>
      <Link to="/" className={`${buttonClass('primary')} mt-6`}>
        {t('trouble.home')}
      </Link>
    </section>
  )
}

/** The page for unexpected errors. The list of files is kept. */
export function Trouble() {
  const { t } = useTranslation()
  return (
    <section role="alert" className="mx-auto max-w-md px-6 py-24 text-center">
      <h1 className="text-[22px] font-semibold tracking-tight">{t('trouble.broken')}</h1>
      <p className="mt-2 text-muted">{t('trouble.brokenText')}</p>
      <Button look="primary" className="mt-6" onClick={() => location.reload()}>
        {t('trouble.reload')}
      </Button>
    </section>
  )
}
