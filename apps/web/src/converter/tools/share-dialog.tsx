import { Check, Copy } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../api/errors.ts'
import { useFormats } from '../../lib/formats.ts'
import { Button } from '../../ui/button.tsx'
import { inputClass, TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import type { Item } from '../item.ts'
import { createShareLink, mostShared, revokeShareLink, type ShareLink } from './share-link.ts'
import { ToolDialog } from './tool-dialog.tsx'

const lifetimes = [1, 4] as const

/** Creates a link to results that expires, and shows it as text and as a QR code. */
export function ShareDialog({ items, onClose }: { readonly items: readonly Item[]; onClose(): void }) {
  const { t } = useTranslation('tools')
  const id = useId()
  const [hours, setHours] = useState<number>(4)
  const [link, setLink] = useState<ShareLink>()
  const [state, setState] = useState<'idle' | 'busy' | 'revoked'>('idle')
  const [fault, setFault] = useState<string>()
  const act = async (work: () => Promise<void>) => {
    setState('busy')
    setFault(undefined)
    try {
      await work()
    } catch (cause) {
      setFault(messageOf(cause) || t('share.failed'))
    }
    setState((now) => (now === 'busy' ? 'idle' : now))
  }
  const create = () => act(async () => setLink(await createShareLink(items.slice(0, mostShared), hours)))
  const revoke = () =>
    act(async () => {
      if (link) await revokeShareLink(link)
      setLink(undefined)
      setState('revoked')
    })
  return (
    <ToolDialog
      title={t('share.title')}
      onClose={onClose}
      actions={
        link ? (
          <Button look="danger" disabled={state === 'busy'} onClick={() => void revoke()}>
            {t('share.revoke')}
          </Button>
        ) : (
          <Button look="primary" disabled={state === 'busy'} onClick={() => void create()}>
            {t('share.create')}
          </Button>
        )
      }
    >
      {fault && <Notice tone="bad">{fault}</Notice>}
      {state === 'revoked' && <Notice tone="info">{t('share.revoked')}</Notice>}
      {link ? (
        <Link link={link} />
      ) : (
        <>
          <p className="text-pretty text-muted">{t('share.text', { count: Math.min(items.length, mostShared) })}</p>
          <div className="grid gap-1.5">
            <label htmlFor={id} className="text-[13px] font-medium">
              {t('share.lifetime')}
            </label>
            <select
              id={id}
              className={inputClass}
              value={hours}
              onChange={({ target }) => setHours(Number(target.value))}
            >
              {lifetimes.map((one) => (
                <option key={one} value={one}>
                  {t('share.hours', { count: one })}
                </option>
              ))}
            </select>
          </div>
        </>
      )}
    </ToolDialog>
  )
}

function Link({ link }: { readonly link: ShareLink }) {
  const { t } = useTranslation('tools')
  const formats = useFormats()
  const [isCopied, setIsCopied] = useState(false)
  const copy = () =>
    navigator.clipboard?.writeText(link.address).then(
      () => setIsCopied(true),
      () => undefined,
    )
  return (
    <div className="grid justify-items-center gap-4">
      <QrCode text={link.address} label={t('share.code')} />
      <div className="flex w-full items-end gap-2">
        <div className="min-w-0 flex-1">
          <TextField
            label={t('share.link')}
            readOnly
            dir="ltr"
            className="font-mono !text-xs"
            value={link.address}
            onFocus={({ target }) => target.select()}
          />
        </div>
        <Button onClick={() => void copy()}>
          {isCopied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
          {isCopied ? t('share.copied') : t('share.copy')}
        </Button>
      </div>
      <p className="num w-full text-[13px] text-muted">
        {t('share.until', { time: formats.exact(new Date(link.expiresAt)) })}
      </p>
    </div>
  )
}
