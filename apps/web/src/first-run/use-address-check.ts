import { useEffect, useState } from 'react'
import { loadSettings } from '../api/settings.ts'
import { type AddressCheck, checkAddress } from './check-address.ts'

/** Compares the URL of this page with the configured one; undefined until that is known. */
export function useAddressCheck(): AddressCheck | undefined {
  const [check, setCheck] = useState<AddressCheck>()
  useEffect(() => {
    loadSettings().then(
      ({ publicUrl }) => setCheck(checkAddress(location.origin, publicUrl)),
      () => undefined,
    )
  }, [])
  return check
}
