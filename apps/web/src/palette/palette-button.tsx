import { Search } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../ui/button.tsx'

const readyPalette = async () => (await import('./words.ts')).readyPalette()

const Palette = lazy(async () => {
  const [made] = await Promise.all([import('./palette.tsx'), readyPalette()])
  return { default: made.Palette }
})

const Shortcuts = lazy(async () => {
  const [made] = await Promise.all([import('./shortcuts.tsx'), readyPalette()])
  return { default: made.Shortcuts }
})

/** Opens the command palette, like Ctrl+K or Cmd+K; `?` shows all shortcuts. Both are loaded on first use. */
export function PaletteButton() {
  const { t } = useTranslation()
  const [shown, setShown] = useState<'palette' | 'shortcuts'>()
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, shiftKey } = event
      if (altKey) return
      if (key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !shiftKey) {
        event.preventDefault()
        setShown((before) => (before === 'palette' ? undefined : 'palette'))
      } else if (key === '?' && !ctrlKey && !metaKey && !isTaken(event.target)) setShown('shortcuts')
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
        onClick={() => setShown('palette')}
      >
        <Search size={18} aria-hidden />
      </Button>
      <Suspense fallback={null}>
        {shown === 'palette' && (
          <Palette onClose={() => setShown(undefined)} onShortcuts={() => setShown('shortcuts')} />
        )}
        {shown === 'shortcuts' && <Shortcuts onClose={() => setShown(undefined)} />}
      </Suspense>
    </>
  )
}

/** Whether a key belongs to what the user types in, or to an open dialog. */
function isTaken(target: EventTarget | null): boolean {
  const isTyping = target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null
  return isTyping || document.querySelector('[role=dialog]') !== null
}
