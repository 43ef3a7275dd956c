import type { Webhook } from '@lathe/contract'
import type { RequestError } from '@lathe/sdk'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Copyable } from '../copyable.tsx'
import { Drawer } from '../drawer.tsx'
import { DrawerForm } from '../drawer-form.tsx'
import { usualEvents, type WebhookEvent, webhookEvents } from './events.ts'
import { changeWebhook, createWebhook } from './queries.ts'

interface WebhookDrawerProps {
  /** The webhook to change; a new one is created without it. */
  readonly webhook?: Webhook
  onClose(): void
}

/** Creates or changes a webhook. The secret of a new one is shown once. */
export function WebhookDrawer({ webhook, onClose }: WebhookDrawerProps) {
  const { t } = useTranslation('dashboard')
  const [secret, setSecret] = useState<string>()
  const title = secret ? t('webhooks.made') : webhook ? t('webhooks.edit') : t('webhooks.create')
  return (
    <Drawer title={title} onClose={onClose}>
      {secret ? (
        <Secret text={secret} onClose={onClose} />
      ) : (
        <WebhookForm webhook={webhook} onMade={setSecret} onChanged={onClose} />
      )}
    </Drawer>
  )
}

interface WebhookFormProps {
  readonly webhook: Webhook | undefined
  onMade(secret: string): void
  onChanged(): void
}

const namedFields = ({ errors }: RequestError) => errors.map(({ msg, path }) => `${path} ${msg}`).join(' ') || undefined

function WebhookForm({ webhook, onMade, onChanged }: WebhookFormProps) {
  const { t } = useTranslation('dashboard')
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [description, setDescription] = useState(webhook?.description ?? '')
  const [wanted, setWanted] = useState<ReadonlySet<WebhookEvent>>(new Set(webhook?.events ?? usualEvents))
  const save = async () => {
    const events = webhookEvents.filter((event) => wanted.has(event))
    const settings = { events, description: description.trim() === '' ? null : description.trim() }
    if (!webhook) return onMade((await createWebhook({ url, ...settings })).secret)
    // A URL with a password is shown masked: sending it back would lose the password.
    const address = webhook.url === url ? {} : { url }
    await changeWebhook(webhook.id, { ...address, ...settings })
    onChanged()
  }
  const label = webhook ? t('webhooks.save') : t('webhooks.create')
  const toggle = (event: WebhookEvent) => setWanted((before) => before.symmetricDifference(new Set([event])))
  return (
    <DrawerForm label={label} isReady={wanted.size > 0} onSubmit={save} explain={namedFields}>
      {webhook?.url !== null && (
        <TextField
          label={t('webhooks.url')}
          hint={t('webhooks.urlHint')}
          type="url"
          required
          autoFocus
          dir="ltr"
          value={url}
          onChange={({ target }) => setUrl(target.value)}
        />
      )}
      <TextField
        label={t('webhooks.description')}
        hint={t('webhooks.descriptionHint')}
        maxLength={500}
        value={description}
        onChange={({ target }) => setDescription(target.value)}
      />
      <fieldset className="grid gap-1">
        <legend className="mb-2 text-[13px] font-medium">{t('webhooks.events')}</legend>
        {webhookEvents.map((event) => (
          <label key={event} className="flex min-h-8 items-center gap-2.5 pointer-coarse:min-h-11">
            <input
              type="checkbox"
              className="size-4 accent-accent"
              checked={wanted.has(event)}
              onChange={() => toggle(event)}
            />
            <code className="font-mono text-[13px]">{event}</code>
          </label>
        ))}
      </fieldset>
    </DrawerForm>
  )
}

/** A secret that is shown once, with how to use it. */
export function Secret({ text, onClose }: { readonly text: string; onClose(): void }) {
  const { t } = useTranslation('dashboard')
  const example = [
    "import { unwrap } from '@lathe/sdk'",
    '',
    'const event = await unwrap(body, headers, process.env.WEBHOOK_SECRET)',
  ].join('\n')
  return (
    <div className="grid gap-5 px-5 py-5">
      <Notice tone="warn">{t('webhooks.once')}</Notice>
      <Copyable label={t('webhooks.secret')} text={text} />
      <Copyable label={t('webhooks.verify')} text={example} />
      <Button look="primary" size="large" onClick={onClose}>
        {t('keys.done')}
      </Button>
    </div>
  )
}
