import { Skeleton } from '@mantine/core'
import { lazy, Suspense, useCallback, useEffect, useState } from 'react'
import { useAddress } from './address.ts'
import { Header } from './header.tsx'
import { Navigation } from './navigation.tsx'
import { NotFound } from './not-found.tsx'
import { OpenGate } from './open-gate.tsx'
import { ScreenBoundary } from './screen-boundary.tsx'
import { matchScreen } from './screens.ts'
import { useShortcuts } from './shortcuts.ts'
import { words } from './words.ts'

const SearchDialog = lazy(async () => ({ default: (await import('./search.tsx')).SearchDialog }))

const ShortcutHelp = lazy(async () => ({ default: (await import('./shortcut-help.tsx')).ShortcutHelp }))

export function Shell() {
  const { path } = useAddress()
  const match = matchScreen(path)
  const title = match?.title ?? words.notFound
  const [over, setOver] = useState<'search' | 'help' | null>(null)
  const search = useCallback(() => setOver('search'), [])
  const help = useCallback(() => setOver('help'), [])
  const close = () => setOver(null)
  useShortcuts({ search, help })
  useEffect(() => {
    document.title = words.pageTitle(title)
  }, [title])
  return (
    <div className="shell">
      <a className="shell-skip" href="#content">
        {words.skipToContent}
      </a>
      <Header onSearch={search} />
      <Navigation path={path} onHelp={help} />
      <main className="shell-main" id="content" tabIndex={-1}>
        <ScreenBoundary key={path}>
          <Suspense fallback={<Skeleton height={200} aria-label={words.loading} />}>
            {match ? <match.Component params={match.params} /> : <NotFound />}
          </Suspense>
        </ScreenBoundary>
      </main>
      <Suspense>
        {over === 'search' && <SearchDialog onClose={close} />}
        {over === 'help' && <ShortcutHelp onClose={close} />}
      </Suspense>
      <OpenGate />
    </div>
  )
}
