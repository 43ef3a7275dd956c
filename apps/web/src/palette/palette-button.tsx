import { Search } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../ui/button.tsx'

const Palette = lazy(async () => {
  const [made, { readyPalette }] = await Promise.all([import('./palette.tsx'), import('./words.ts')])
  await readyPalette()
  return { default: made.Palette }
})

/** Opens the command palette, as Ctrl+K or Cmd+K does. It is loaded when it is first asked for. */
export function PaletteButton() {
  const { t } = useTranslation()
  const [isOpen, setIsOpen] = useState(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      setIsOpen((before) => !before)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return (
    <>
      <Button
        look="ghost"
        size="icon"
        aria-label={t('app.palette')}
        title={`${t('app.palette')} (Ctrl K)`}
        className="max-sm:hidden"
        onClick={() => setIsOpen(true)}
      >
        <Search size={18} aria-hidden />
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <Palette onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
