import { QueryClientProvider } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { queries } from '../app/queries.ts'
import { useStore } from '../lib/store.ts'
import { sessionStore } from '../session/session.ts'
import { SideNavigation } from './side-navigation.tsx'

interface DashboardPageProps {
  readonly title: string
  readonly text?: ReactNode
  /** The link back to the list. */
  readonly above?: ReactNode
  /** Shown after the title. */
  readonly badge?: ReactNode
  readonly action?: ReactNode
  readonly children: ReactNode
}

/** A page of the dashboard. Asks users to sign in if they are not. */
export function DashboardPage({ title, text, above, badge, action, children }: DashboardPageProps) {
  const session = useStore(sessionStore, (now) => now)
  if (session && !session.signedIn) return <Navigate to={session.mode === 'open' ? '/' : '/sign-in'} replace />
  return (
    <QueryClientProvider client={queries}>
      <title>{`${title} · Lathe`}</title>
      <div className="mx-auto max-w-[1200px] px-4 py-4 sm:px-6 lg:grid lg:grid-cols-[184px_minmax(0,1fr)] lg:gap-10 lg:py-8">
        <SideNavigation />
        <div className="grid min-w-0 content-start gap-6 py-6 lg:py-0">
          <div className="flex flex-wrap items-end gap-x-6 gap-y-4">
            <div className="min-w-0 flex-1 basis-72">
              {above}
              <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
                <h1 className="min-w-0 text-[28px] leading-tight font-semibold tracking-tight break-words">
                  <bdi>{title}</bdi>
                </h1>
                {badge}
              </div>
              {text && <p className="mt-1.5 text-pretty text-muted">{text}</p>}
            </div>
            {action}
          </div>
          {session && children}
        </div>
      </div>
    </QueryClientProvider>
  )
}
