import { Button } from '@mantine/core'
import { signOut } from '../doors/session.ts'
import { linkProps } from './address.ts'
import logo from './favicon.svg'
import { useSession } from './session-context.ts'
import { words } from './words.ts'

export function Header({ onSearch }: { onSearch: () => void }) {
  const { role, keyName } = useSession()
  const leave = async () => {
    await signOut()
    location.assign('/console')
  }
  return (
    <header className="shell-header">
      <a className="shell-brand" {...linkProps('/')}>
        <img src={logo} alt="" width="24" height="24" />
        Atrium
      </a>
      <button type="button" className="shell-search" aria-keyshortcuts="Control+K Meta+K" onClick={onSearch}>
        {words.search}
      </button>
      <span className="shell-who" title={keyName}>
        {role}
      </span>
      <Button variant="default" size="compact-sm" onClick={leave}>
        {words.signOut}
      </Button>
    </header>
  )
}
