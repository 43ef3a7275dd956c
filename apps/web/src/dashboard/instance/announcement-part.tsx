import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSubmit } from '../../pages/use-submit.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Part } from '../part.tsx'
import { announce } from './queries.ts'

/** The announcement shown above every page. */
export function AnnouncementPart({ announcement }: { readonly announcement: string | null }) {
  const { t } = useTranslation('admin')
  const [text, setText] = useState(announcement ?? '')
  const { submit, isBusy, fault } = useSubmit(() => announce(text.trim() === '' ? null : text))
  return (
    <Part title={t('announcement.title')} text={t('announcement.text')}>
      <form onSubmit={submit} className="grid gap-4 px-5 py-5">
        {fault && <Notice tone="bad">{fault}</Notice>}
        <TextField
          label={t('announcement.label')}
          maxLength={500}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <div>
          <Button type="submit" disabled={isBusy || text.trim() === (announcement ?? '')}>
            {text.trim() === '' && announcement !== null ? t('announcement.remove') : t('announcement.post')}
          </Button>
        </div>
      </form>
    </Part>
  )
}
