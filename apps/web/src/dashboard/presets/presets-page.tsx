import type { Preset } from '@lathe/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { saveText } from '../../lib/save-text.ts'
import { toPresetFile } from '../../presets/preset-file.ts'
import { presetsQuery } from '../../presets/queries.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Card, Empty, RowsSkeleton } from '../card.tsx'
import { DashboardPage } from '../dashboard-page.tsx'
import { ImportButton } from './import-button.tsx'
import type { ImportOutcome } from './import-presets.ts'
import { ImportReport } from './import-report.tsx'
import { PresetRow } from './preset-row.tsx'

/** `/presets`: the presets of the account, to edit, export and import. */
export function PresetsPage() {
  const { t } = useTranslation('presets')
  const [outcome, setOutcome] = useState<ImportOutcome | 'wrong'>()
  const action = (
    <div className="flex flex-wrap gap-2">
      <ImportButton onOutcome={setOutcome} />
      <ExportButton />
    </div>
  )
  return (
    <DashboardPage title={t('presets.title')} text={t('presets.text')} action={action}>
      {outcome && <ImportReport outcome={outcome} />}
      <PresetList />
    </DashboardPage>
  )
}

// The page around it has loaded the presets.
function ExportButton() {
  const { t } = useTranslation('presets')
  const { data = [] } = useQuery(presetsQuery)
  const save = (presets: readonly Preset[]) => saveText('lathe-presets.json', 'application/json', toPresetFile(presets))
  return (
    <Button disabled={data.length === 0} onClick={() => save(data)}>
      <Download size={16} aria-hidden />
      {t('presets.export')}
    </Button>
  )
}

function PresetList() {
  const { t } = useTranslation('presets')
  const { data, error, isPending } = useQuery(presetsQuery)
  if (error) return <Notice tone="bad">{error.message}</Notice>
  return (
    <Card>
      {isPending && <RowsSkeleton />}
      {data?.length === 0 && (
        <Empty
          title={t('presets.none')}
          text={t('presets.noneText')}
          action={
            <Link to="/" className={buttonClass('primary')}>
              {t('presets.convert')}
            </Link>
          }
        />
      )}
      {data && data.length > 0 && (
        <ul className="divide-y" aria-label={t('presets.title')}>
          {data.map((preset) => (
            <PresetRow key={preset.id} preset={preset} />
          ))}
        </ul>
      )}
    </Card>
  )
}
