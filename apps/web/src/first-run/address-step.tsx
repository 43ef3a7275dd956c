import { useTranslation } from 'react-i18next'
import { Button } from '../ui/button.tsx'
import { AddressFacts } from './address-facts.tsx'
import { showStepAfter } from './first-run.ts'
import { StepFrame } from './step-frame.tsx'
import { useAddressCheck } from './use-address-check.ts'

/** Shows whether links made by the server lead back to it. */
export function AddressStep() {
  const { t } = useTranslation('firstRun')
  const check = useAddressCheck()
  return (
    <StepFrame
      step="address"
      actions={
        <Button look="primary" size="large" onClick={() => showStepAfter('address')}>
          {t('actions.continue')}
        </Button>
      }
    >
      {check ? <AddressFacts check={check} /> : <div className="skeleton h-32" aria-hidden="true" />}
    </StepFrame>
  )
}
