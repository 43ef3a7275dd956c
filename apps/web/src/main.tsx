import './app/styles.css'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { router } from './app/router.tsx'
import { readyWords } from './app/words.ts'
import { startInstalled } from './installed/installed.ts'

const root = document.getElementById('root')
if (!root) throw new Error('the page has no place for the app')
// Before the router, which rewrites the URL that this reads.
startInstalled()
await readyWords()

createRoot(root).render(
  <StrictMode>
    <RouterProvider router={router} />
  </StrictMode>,
)
