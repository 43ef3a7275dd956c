import { Link, useRouterState } from '@tanstack/react-router'
import { LogOut } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from '../lib/store.ts'
import { leave } from '../session/bearer.ts'
import { sessionStore } from '../session/session.ts'
import { Button, buttonClass } from '../ui/button.tsx'

// Most users act only for themselves.
const OwnerSwitcher = lazy(async () => {
  const [made, { readyTeam }] = await Promise.all([import('../team/owner-switcher.tsx'), import('../team/words.ts')])
  await readyTeam()
  return { default: made.OwnerSwitcher }
})

/** Signs in or out; empty if no sign-in is needed. */
export function AccountButton() {
  const { t } = useTranslation()
  const session = useStore(sessionStore, (now) => now)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  if (!session || session.mode === 'open') return null
  if (session.signedIn) {
    const name = session.user?.name ?? t('account.withKey')
    const { owner, owners = [] } = session
    return (
      <>
        <Suspense fallback={null}>
          {owner && owners.length > 1 ? (
            <OwnerSwitcher owners={owners} current={owner} />
          ) : (
            <span className="max-w-40 truncate px-2 text-muted max-sm:hidden" title={session.user?.email}>
              {name}
            </span>
          )}
        </Suspense>
        {session.mode !== 'proxy' && (
          <Button
            look="ghost"
            size="icon"
            aria-label={t('account.signOut')}
            title={t('account.signOut')}
            onClick={() => void leave().catch(() => undefined)}
          >
            <LogOut size={18} aria-hidden className="rtl:-scale-x-100" />
          </Button>
        )}
      </>
    )
  }
  if (path === '/sign-in' || path === '/setup' || path === '/join') return null
  return (
    <Link to={session.setupNeeded ? '/setup' : '/sign-in'} className={buttonClass('plain')}>
      {t('account.signIn')}
    </Link>
  )
}
