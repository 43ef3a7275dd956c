import { Link, Outlet } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from '../lib/store.ts'
import { PaletteButton } from '../palette/palette-button.tsx'
import { loadSession } from '../session/bearer.ts'
import { sessionStore } from '../session/session.ts'
import { Logo } from '../ui/logo.tsx'
import { AccountButton } from './account-button.tsx'
import { LanguagePicker } from './language-picker.tsx'
import { Navigation } from './navigation.tsx'
import { ThemeButton } from './theme-button.tsx'

/** The frame of every page. */
export function Shell() {
  const { t } = useTranslation()
  const announcement = useStore(sessionStore, (now) => now?.announcement)
  useEffect(() => void loadSession().catch(() => undefined), [])
  return (
    <>
      <a
        href="#main"
        className="sr-only z-50 rounded-control bg-surface px-3 py-2 focus:not-sr-only focus:fixed focus:start-3 focus:top-3"
      >
        {t('app.skip')}
      </a>
      <header className="border-b bg-surface">
        <div className="mx-auto flex h-14 max-w-[1200px] items-center gap-2 px-4 sm:gap-4 sm:px-6">
          <Link to="/" className="flex items-center gap-2.5 rounded-control text-base font-semibold tracking-tight">
            <Logo />
            Lathe
          </Link>
          <Navigation className="ms-2 max-sm:hidden" />
          <div className="ms-auto flex items-center gap-1">
            <PaletteButton />
            <LanguagePicker />
            <ThemeButton />
            <AccountButton />
          </div>
        </div>
        <Navigation className="overflow-x-auto px-3 pb-2 sm:hidden" />
      </header>
      {announcement && (
        <p role="status" className="bg-info-soft px-4 py-2 text-center text-pretty break-words text-info">
          <bdi>{announcement}</bdi>
        </p>
      )}
      <main id="main" tabIndex={-1} className="outline-none">
        <Outlet />
      </main>
    </>
  )
}
