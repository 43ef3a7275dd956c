import { useEffect } from 'react'
import { getOwn } from '../../previews/get-own.ts'
import { Preview } from '../../previews/preview.tsx'
import type { Item } from '../item.ts'
import { Thumb } from '../list/thumb.tsx'
import { sendAhead } from '../send-ahead.ts'
import { useItem } from '../state.ts'

// Larger files take long to send, and are sent when they are merged.
const largest = 20_000_000

/** A thumbnail of a file that was not sent yet. The browser shows images itself; the service shows pages. */
export function PageThumb({ item: given }: { readonly item: Item }) {
  const item = useItem(given.id) ?? given
  const { id, source, importedId, size } = item
  const needsSending = source === 'pdf' && importedId === undefined && size <= largest
  useEffect(() => {
    if (!needsSending) return
    const stop = new AbortController()
    void sendAhead(id, stop.signal)
    return () => stop.abort()
  }, [id, needsSending])
  const thumb = <Thumb item={item} />
  if (source !== 'pdf' || !importedId) return thumb
  return (
    <Preview taskId={importedId} file={0} name={item.name} get={getOwn}>
      {thumb}
    </Preview>
  )
}
