import { useTranslation } from 'react-i18next'
import { buttonClass } from '../ui/button.tsx'
import { AddressFacts } from './address-facts.tsx'
import { useAddressCheck } from './use-address-check.ts'

/** Explains why no account can be created at this URL, if it is not the configured one. */
export function WrongAddress({ link }: { readonly link: string }) {
  const { t } = useTranslation('firstRun')
  const check = useAddressCheck()
  if (!check || check.isSame) return null
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4">
      <AddressFacts check={check} />
      {/* The secret is in the fragment, which no server receives. */}
      <a href={`${check.configured}/setup#${link}`} className={`${buttonClass()} !whitespace-normal break-all`}>
        {t('address.open', { url: check.configured })}
      </a>
    </div>
  )
}
