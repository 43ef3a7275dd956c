import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSubmit } from '../../pages/use-submit.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { Moment } from '../moment.tsx'
import { Part } from '../part.tsx'
import { allFormatsQuery, type DisabledFormat, disableFormat, enableFormat } from './queries.ts'

/** The disabled formats and conversions, and a form to disable more. */
export function DisabledFormats({ rules }: { readonly rules: readonly DisabledFormat[] }) {
  const { t } = useTranslation('admin')
  return (
    <Part title={t('formats.title')} text={t('formats.text')}>
      {rules.length > 0 && (
        <ul className="divide-y border-b" aria-label={t('formats.title')}>
          {rules.map((rule) => (
            <Rule key={rule.id} rule={rule} />
          ))}
        </ul>
      )}
      <NewRule />
    </Part>
  )
}

function Rule({ rule }: { readonly rule: DisabledFormat }) {
  const { t } = useTranslation('admin')
  const { submit, isBusy, fault } = useSubmit(() => enableFormat(rule.id))
  const [from, to] = [rule.input?.toUpperCase(), rule.output?.toUpperCase()]
  const what = !from
    ? t('formats.asOutput', { format: to })
    : !to
      ? t('formats.asInput', { format: from })
      : `${from} → ${to}`
  return (
    <li className="px-5 py-4">
      <form onSubmit={submit} className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <div className="min-w-0 flex-1 basis-56">
          <p className="font-medium">
            <bdi>{what}</bdi>
          </p>
          <p className="text-[13px] text-pretty break-words text-muted">
            {rule.reason && (
              <>
                <bdi>{rule.reason}</bdi> ·{' '}
              </>
            )}
            {rule.disabledBy && (
              <>
                <bdi>{rule.disabledBy}</bdi> ·{' '}
              </>
            )}
            <Moment at={rule.disabledAt} />
          </p>
        </div>
        <Button type="submit" size="small" disabled={isBusy} aria-label={t('formats.onName', { what })}>
          {t('formats.on')}
        </Button>
      </form>
      {fault && <Notice tone="bad">{fault}</Notice>}
    </li>
  )
}

const nothing = { input: '', output: '', reason: '' }

function NewRule() {
  const { t } = useTranslation('admin')
  const [wanted, setWanted] = useState(nothing)
  const { data: formats = [] } = useQuery(allFormatsQuery)
  const { submit, isBusy, fault } = useSubmit(async () => {
    const { input, output, reason } = wanted
    await disableFormat({ input: input || null, output: output || null, reason: reason.trim() || null })
    setWanted(nothing)
  })
  const choice = (side: 'input' | 'output') => (
    <SelectField
      label={t(`formats.${side}`)}
      value={wanted[side]}
      onChange={({ target }) => setWanted({ ...wanted, [side]: target.value })}
    >
      <option value="">{t('formats.any')}</option>
      {formats.map((ext) => (
        <option key={ext} value={ext}>
          {ext.toUpperCase()}
        </option>
      ))}
    </SelectField>
  )
  return (
    <form onSubmit={submit} className="grid gap-4 px-5 py-5">
      {fault && <Notice tone="bad">{fault}</Notice>}
      <div className="grid gap-4 sm:grid-cols-2">
        {choice('input')}
        {choice('output')}
      </div>
      <TextField
        label={t('formats.reason')}
        hint={t('formats.reasonHint')}
        maxLength={200}
        value={wanted.reason}
        onChange={({ target }) => setWanted({ ...wanted, reason: target.value })}
      />
      <div>
        <Button type="submit" disabled={isBusy || (wanted.input === '' && wanted.output === '')}>
          {t('formats.off')}
        </Button>
      </div>
    </form>
  )
}
