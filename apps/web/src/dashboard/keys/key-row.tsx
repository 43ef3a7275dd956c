import type { ApiKey } from '@lathe/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../lib/formats.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { AskOnce } from '../ask-once.tsx'
import { RenameDrawer } from '../rename-drawer.tsx'
import { AddressesDrawer } from './addresses-drawer.tsx'
import { renameKey, revokeKey } from './queries.ts'

/** One key: its name, its scopes, where it may be used from, and buttons to change and to revoke it. */
export function KeyRow({ apiKey }: { readonly apiKey: ApiKey }) {
  const { t } = useTranslation('dashboard')
  const formats = useFormats()
  const [isRenaming, setIsRenaming] = useState(false)
  const [isLimiting, setIsLimiting] = useState(false)
  const { id, name, last4, scopes, allowedIps, lastUsedAt, expiresAt } = apiKey
  const used = lastUsedAt ? t('keys.used', { when: formats.relative(new Date(lastUsedAt)) }) : t('keys.unused')
  const ends = expiresAt && t('keys.ends', { when: formats.exact(new Date(expiresAt)) })
  return (
    <li className="grid gap-2 px-5 py-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <div className="min-w-0 flex-1 basis-56">
          <p className="truncate font-medium">
            <bdi>{name}</bdi> <span className="font-mono text-[13px] text-muted">…{last4}</span>
          </p>
          <p className="text-[13px] text-muted">{[used, ends].filter(Boolean).join(' · ')}</p>
          {allowedIps && (
            <p className="text-[13px] break-words text-muted">{t('keys.from', { ranges: allowedIps.join(', ') })}</p>
          )}
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <Button size="small" aria-label={t('common.renameOne', { name })} onClick={() => setIsRenaming(true)}>
            {t('common.rename')}
          </Button>
          <Button size="small" aria-label={t('keys.changeIpsOne', { name })} onClick={() => setIsLimiting(true)}>
            {t('keys.changeIps')}
          </Button>
          <AskOnce
            label={t('keys.revoke')}
            name={t('keys.revokeOne', { name })}
            question={t('keys.askText')}
            onYes={() => revokeKey(id)}
          />
        </div>
      </div>
      <div className="flex flex-wrap gap-1.5">
        {scopes.map((scope) => (
          <Badge key={scope}>
            <code className="font-mono text-xs">{scope}</code>
          </Badge>
        ))}
      </div>
      {isRenaming && (
        <RenameDrawer
          title={t('common.renameOne', { name })}
          name={name}
          onRename={(text) => renameKey(id, text)}
          onClose={() => setIsRenaming(false)}
        />
      )}
      {isLimiting && <AddressesDrawer apiKey={apiKey} onClose={() => setIsLimiting(false)} />}
    </li>
  )
}
