import { Link, useRouterState } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useStore } from '../lib/store.ts'
import { sessionStore } from '../session/session.ts'
import { classes } from '../ui/classes.ts'

const item = 'rounded-control px-2.5 py-1.5 font-medium whitespace-nowrap text-muted hover:text-text'
const current = 'bg-sunken !text-text'

/** Pages outside the dashboard. */
const others = /^(sign-in|setup|join|tools)?$/

/** Links to the parts of the web app; the dashboard has its own navigation. */
export function Navigation({ className }: { readonly className: string }) {
  const { t } = useTranslation()
  const hasAccount = useStore(sessionStore, (now) => now?.signedIn === true && now.mode !== 'open')
  const part = useRouterState({ select: ({ location }) => location.pathname.split('/')[1] ?? '' })
  const isDashboard = !others.test(part)
  return (
    <nav aria-label={t('app.navigation')} className={classes('flex items-center gap-1', className)}>
      <Link to="/" className={item} activeProps={{ className: current }} activeOptions={{ exact: true }}>
        {t('app.convert')}
      </Link>
      {hasAccount && (
        <Link to="/jobs" className={classes(item, isDashboard && current)}>
          {t('app.dashboard')}
        </Link>
      )}
      <a href="/guide/" className={item}>
        {t('app.guide')}
      </a>
      <a href="/docs" className={item}>
        {t('app.api')}
      </a>
    </nav>
  )
}
