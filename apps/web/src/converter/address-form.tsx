import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'

/** Asks for the URL of a file that the service fetches itself. */
export function AddressForm({ onAddress }: { onAddress(address: string): void }) {
  const { t } = useTranslation()
  const [address, setAddress] = useState('')
  const [isWrong, setIsWrong] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const isGood = /^https?:\/\//i.test(address.trim()) && URL.canParse(address.trim())
    if (isGood) onAddress(address.trim())
    else setIsWrong(true)
  }
  return (
    <form onSubmit={submit} noValidate className="mx-auto mt-4 flex max-w-xl items-end gap-2 text-start">
      <div className="flex-1">
        <TextField
          label={t('drop.addressLabel')}
          type="url"
          inputMode="url"
          autoFocus
          placeholder="https://"
          value={address}
          error={isWrong ? t('drop.addressWrong') : undefined}
          onChange={({ target }) => {
            setAddress(target.value)
            setIsWrong(false)
          }}
        />
      </div>
      <Button type="submit" className={isWrong ? 'mb-[27px]' : ''}>
        {t('drop.addressAdd')}
      </Button>
    </form>
  )
}
