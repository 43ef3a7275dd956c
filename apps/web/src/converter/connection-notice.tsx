import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { Notice } from '../ui/notice.tsx'

function follow(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/** Tells the user that the browser is offline and that nothing is lost. */
export function ConnectionNotice() {
  const { t } = useTranslation()
  const isOnline = useSyncExternalStore(follow, () => navigator.onLine)
  return (
    <div aria-live="polite">
      {!isOnline && (
        <div className="mt-4">
          <Notice tone="warn">{t('convert.offline')}</Notice>
        </div>
      )}
    </div>
  )
}
