import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Card, Empty, RowsSkeleton } from '../card.tsx'
import { DashboardPage } from '../dashboard-page.tsx'
import { KeyRow } from './key-row.tsx'
import { NewKeyDialog } from './new-key-dialog.tsx'
import { keysQuery } from './queries.ts'

/** `/keys`: the API keys of the account. */
export function KeysPage() {
  const { t } = useTranslation('dashboard')
  const [isMaking, setIsMaking] = useState(false)
  const make = (
    <Button look="primary" onClick={() => setIsMaking(true)}>
      <Plus size={16} aria-hidden />
      {t('keys.create')}
    </Button>
  )
  return (
    <DashboardPage title={t('keys.title')} text={t('keys.text')} action={make}>
      <KeyList onMake={() => setIsMaking(true)} />
      {isMaking && <NewKeyDialog onClose={() => setIsMaking(false)} />}
    </DashboardPage>
  )
}

function KeyList({ onMake }: { onMake(): void }) {
  const { t } = useTranslation('dashboard')
  const { data, error, isPending } = useQuery(keysQuery)
  if (error) return <Notice tone="bad">{error.message}</Notice>
  return (
    <Card>
      {isPending && <RowsSkeleton />}
      {data?.length === 0 && (
        <Empty
          title={t('keys.none')}
          text={t('keys.noneText')}
          action={<Button onClick={onMake}>{t('keys.create')}</Button>}
        />
      )}
      {data && data.length > 0 && (
        <ul className="divide-y">
          {data.map((key) => (
            <KeyRow key={key.id} apiKey={key} />
          ))}
        </ul>
      )}
    </Card>
  )
}
