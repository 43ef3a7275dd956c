import type { Webhook } from '@lathe/contract'
import { Check, CircleAlert, CirclePause } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Badge } from '../../ui/badge.tsx'

/** Whether events are delivered, and if not, who disabled it. */
export function WebhookState({ webhook: { enabled, disabledReason } }: { readonly webhook: Webhook }) {
  const { t } = useTranslation('dashboard')
  if (enabled) {
    return (
      <Badge tone="ok">
        <Check size={13} aria-hidden />
        {t('webhooks.on')}
      </Badge>
    )
  }
  const Icon = disabledReason ? CircleAlert : CirclePause
  return (
    <Badge tone={disabledReason ? 'bad' : 'plain'}>
      <Icon size={13} aria-hidden />
      {disabledReason ? t(`webhooksOff.${disabledReason}`) : t('webhooks.off')}
    </Badge>
  )
}
