import './shell/styles.ts'
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import type { Session } from './doors/session.ts'
import { mantineTheme } from './shell/mantine-theme.ts'
import { SessionContext } from './shell/session-context.ts'
import { Shell } from './shell/shell.tsx'
import { themeKey } from './shell/theme.ts'

/** Called by the first script of the page, once somebody is signed in. */
export function startConsole(root: HTMLElement, session: Session): void {
  // The SDK has already tried again what may be tried again.
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 5000 } } })
  root.replaceChildren()
  createRoot(root).render(
    // The page policy forbids styles that scripts write: Mantine's variables and classes come from files.
    <MantineProvider
      theme={mantineTheme}
      defaultColorScheme="auto"
      colorSchemeManager={localStorageColorSchemeManager({ key: themeKey })}
      withCssVariables={false}
      withGlobalClasses={false}
      deduplicateCssVariables={false}
    >
      <QueryClientProvider client={queries}>
        <SessionContext value={session}>
          <Shell />
        </SessionContext>
      </QueryClientProvider>
    </MantineProvider>,
  )
}
