import { useState } from 'react'
import { ScreenHead } from '../../parts/screen-head.tsx'
import { SecretBox } from '../../parts/secret-box.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useFilters } from '../../shell/address.ts'
import { AdminKeys } from './admin-keys.tsx'
import { BrowserSessions } from './browser-sessions.tsx'
import type { Secret } from './secret.ts'
import { SignInLinks } from './sign-in-links.tsx'
import { words } from './words.ts'

/** How administrators get in. Changing it is confirmed with a key. */
export function AccessScreen() {
  const [{ tab }] = useFilters('tab')
  const [secret, setSecret] = useState<Secret | null>(null)
  return (
    <>
      <ScreenHead title={words.access} hint={words.accessHint} />
      <Tabs
        label={words.kindsOfAccess}
        path="/access"
        current={tab || 'keys'}
        tabs={[
          ['keys', words.adminKeys],
          ['links', words.signInLinks],
          ['sessions', words.browserSessions],
        ]}
      />
      {secret && <SecretBox {...secret} onKept={() => setSecret(null)} />}
      {tab === 'links' ? (
        <SignInLinks onSecret={setSecret} />
      ) : tab === 'sessions' ? (
        <BrowserSessions />
      ) : (
        <AdminKeys onSecret={setSecret} />
      )}
    </>
  )
}
