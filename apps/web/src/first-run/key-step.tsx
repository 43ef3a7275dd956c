import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loadSettings } from '../api/settings.ts'
import { Copyable } from '../dashboard/copyable.tsx'
import { createKey } from '../dashboard/keys/queries.ts'
import { usualScopes } from '../dashboard/keys/scopes.ts'
import { useIdentity } from '../dashboard/security/use-identity.tsx'
import { useSubmit } from '../pages/use-submit.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { showStepAfter } from './first-run.ts'
import { makeSnippets, type Snippets } from './snippets.ts'
import { StepFrame } from './step-frame.tsx'

interface Made {
  readonly key: string
  readonly snippets: Snippets
}

/** Creates the first API key, and shows it once with programs that use it. */
export function KeyStep() {
  const { t } = useTranslation('firstRun')
  const [name, setName] = useState(() => t('key.firstName'))
  const [made, setMade] = useState<Made>()
  const identity = useIdentity()
  const { submit, isBusy, fault } = useSubmit(async () => {
    await identity.confirm()
    const { publicUrl } = await loadSettings()
    const { key } = await createKey({ name, scopes: usualScopes })
    setMade({ key: key ?? '', snippets: makeSnippets(publicUrl, key ?? '') })
  }, identity.explain)
  const leave = () => showStepAfter('key')
  if (made) {
    return (
      <StepFrame
        key="made"
        step="key"
        actions={
          <Button look="primary" size="large" onClick={leave}>
            {t('actions.finish')}
          </Button>
        }
      >
        <MadeKey text={made.key} snippets={made.snippets} />
      </StepFrame>
    )
  }
  return (
    <StepFrame
      step="key"
      actions={
        <>
          <Button look="ghost" size="large" onClick={leave}>
            {t('actions.skip')}
          </Button>
          <Button type="submit" form="first-key" look="primary" size="large" disabled={isBusy || name.trim() === ''}>
            {t('key.create')}
          </Button>
        </>
      }
    >
      <form id="first-key" onSubmit={submit} className="grid gap-4">
        {fault && <Notice tone="bad">{fault}</Notice>}
        <TextField
          label={t('key.name')}
          required
          maxLength={100}
          autoComplete="off"
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        {identity.field}
      </form>
    </StepFrame>
  )
}

function MadeKey({ text, snippets }: { readonly text: string; readonly snippets: Snippets }) {
  const { t } = useTranslation('firstRun')
  return (
    <div className="grid min-w-0 grid-cols-1 gap-5">
      <Notice tone="warn">{t('key.once')}</Notice>
      <Copyable label={t('key.text')} text={text} />
      <Copyable label="curl" text={snippets.curl} />
      <Copyable label="TypeScript" text={snippets.typescript} />
      <Copyable label={t('key.cli')} text={snippets.cli} />
    </div>
  )
}
