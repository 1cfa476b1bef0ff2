import { Button, useMantineColorScheme } from '@mantine/core'
import { signOut } from '../doors/session.ts'
import { linkProps } from './address.ts'
import logo from './favicon.svg'
import { useSession } from './session-context.ts'
import type { Theme } from './theme.ts'

export function Header() {
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
      <span className="shell-who" title={keyName}>
        {role}
      </span>
      <ThemeChoice />
      <Button variant="default" size="compact-sm" onClick={leave}>
        Sign out
      </Button>
    </header>
  )
}

function ThemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <label className="shell-theme">
      <span>Theme</span>
      <select value={colorScheme} onChange={({ target }) => setColorScheme(target.value as Theme)}>
        <option value="auto">System</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </label>
  )
}
