import { useQuery } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../lib/formats.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Empty, RowsSkeleton } from '../card.tsx'
import { Moment } from '../moment.tsx'
import { Part } from '../part.tsx'
import { AccountDrawer } from './account-drawer.tsx'
import { NewAccountDrawer } from './new-account-drawer.tsx'
import { type Account, accountsQuery } from './queries.ts'

/** Users and teams, newest first, searched by part of their name or email address. */
export function AccountList() {
  const { t } = useTranslation('admin')
  const [search, setSearch] = useState('')
  const [isAdding, setIsAdding] = useState(false)
  const [opened, setOpened] = useState<Account>()
  // Where the previous pages ended.
  const [path, setPath] = useState<readonly string[]>([])
  const { data, error, isPending } = useQuery(accountsQuery(useDeferredValue(search.trim()), path.at(-1)))
  const next = data?.next
  const add = (
    <Button onClick={() => setIsAdding(true)}>
      <UserPlus size={16} aria-hidden />
      {t('accounts.add')}
    </Button>
  )
  return (
    <Part title={t('accounts.title')} text={t('accounts.text')} action={add}>
      <div className="border-b px-5 py-4">
        <TextField
          label={t('accounts.search')}
          type="search"
          value={search}
          onChange={({ target }) => {
            setSearch(target.value)
            setPath([])
          }}
        />
      </div>
      {error && <Notice tone="bad">{error.message}</Notice>}
      {isPending && <RowsSkeleton />}
      {data?.data.length === 0 && <Empty title={t('accounts.none')} text={t('accounts.noneText')} />}
      {data && data.data.length > 0 && (
        <ul className="divide-y" aria-label={t('accounts.title')}>
          {data.data.map((account) => (
            <AccountRow key={account.id} account={account} onOpen={() => setOpened(account)} />
          ))}
        </ul>
      )}
      {(path.length > 0 || next) && (
        <div className="flex justify-end gap-2 border-t px-5 py-3">
          <Button size="small" disabled={path.length === 0} onClick={() => setPath(path.slice(0, -1))}>
            {t('accounts.newer')}
          </Button>
          <Button size="small" disabled={!next} onClick={() => next && setPath([...path, next])}>
            {t('accounts.older')}
          </Button>
        </div>
      )}
      {isAdding && <NewAccountDrawer onClose={() => setIsAdding(false)} />}
      {opened && <AccountDrawer account={opened} onClose={() => setOpened(undefined)} />}
    </Part>
  )
}

function AccountRow({ account, onOpen }: { readonly account: Account; onOpen(): void }) {
  const { t } = useTranslation('admin')
  const formats = useFormats()
  const { name, email, kind, isAdmin, suspendedAt, lastUsedAt, storedBytes, plan } = account
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-5 py-4">
      <div className="min-w-0 flex-1 basis-56">
        <p className="truncate font-medium">
          <bdi>{name}</bdi>
        </p>
        <p className="text-[13px] break-words text-muted">
          {email && (
            <>
              <bdi>{email}</bdi> ·{' '}
            </>
          )}
          {t('accounts.slots', { count: plan.slots })} · {formats.bytes(storedBytes)}
          {lastUsedAt && (
            <>
              {' '}
              · <Moment at={lastUsedAt} />
            </>
          )}
        </p>
      </div>
      {kind === 'team' && <Badge>{t('accounts.team')}</Badge>}
      {isAdmin && <Badge tone="info">{t('accounts.admin')}</Badge>}
      {suspendedAt && <Badge tone="bad">{t('accounts.suspended')}</Badge>}
      <Button size="small" aria-label={t('accounts.changeOne', { name })} onClick={onOpen}>
        {t('accounts.change')}
      </Button>
    </li>
  )
}
