import { type ButtonHTMLAttributes, lazy, Suspense, useState } from 'react'
import type { Item } from '../item.ts'
import { readyTools } from '../tools/words.ts'

const ResultDialog = lazy(async () => {
  const [{ ResultDialog }] = await Promise.all([import('./result-dialog.tsx'), readyTools()])
  return { default: ResultDialog }
})

interface ResultButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly item: Item
}

/** A button that shows the result of a file. */
export function ResultButton({ item, ...rest }: ResultButtonProps) {
  const [isShown, setShown] = useState(false)
  return (
    <>
      <button type="button" {...rest} onClick={() => setShown(true)} />
      <Suspense fallback={null}>{isShown && <ResultDialog item={item} onClose={() => setShown(false)} />}</Suspense>
    </>
  )
}
