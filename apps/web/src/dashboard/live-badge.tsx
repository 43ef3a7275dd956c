import { useTranslation } from 'react-i18next'
import { liveStore } from '../api/account-events.ts'
import { useStore } from '../lib/store.ts'
import { Badge } from '../ui/badge.tsx'

/** Shows whether the page updates live. */
export function LiveBadge() {
  const { t } = useTranslation('dashboard')
  const isLive = useStore(liveStore, (now) => now)
  return (
    <Badge tone={isLive ? 'ok' : 'plain'}>
      <span aria-hidden className={isLive ? 'size-1.5 rounded-full bg-ok' : 'size-1.5 rounded-full bg-faint'} />
      {isLive ? t('live.on') : t('live.off')}
    </Badge>
  )
}
