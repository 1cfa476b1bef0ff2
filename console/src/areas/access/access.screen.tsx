import { useState } from 'react'
import { ScreenHead } from '../../parts/screen-head.tsx'
import { SecretBox } from '../../parts/secret-box.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useFilters } from '../../shell/address.ts'
import { AdminKeys } from './admin-keys.tsx'
import { BrowserSessions } from './browser-sessions.tsx'
import { SignInLinks } from './sign-in-links.tsx'

export type Secret = { label: string; secret: string; hint: string }

/** How administrators get in. Changing it is confirmed with a key. */
export function AccessScreen() {
  const [{ tab }] = useFilters('tab')
  const [secret, setSecret] = useState<Secret | null>(null)
  return (
    <>
      <ScreenHead
        title="Access"
        hint="Admin keys, links that sign somebody in once, and who is signed in to this console."
      />
      <Tabs
        label="Kinds of access"
        path="/access"
        current={tab || 'keys'}
        tabs={[
          ['keys', 'Admin keys'],
          ['links', 'Sign-in links'],
          ['sessions', 'Browser sessions'],
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
