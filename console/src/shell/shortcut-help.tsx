import { Checkbox } from '@mantine/core'
import { Dialog } from '../parts/dialog.tsx'
import { screenList } from './screen-list.ts'
import { setSingleKeys, useSingleKeys } from './single-keys.ts'

const general = [
  ['Ctrl K or Cmd K', 'Search'],
  ['/', 'Search'],
  ['?', 'This list'],
] as const

export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const isOn = useSingleKeys()
  const screens = screenList.flatMap((screen) =>
    'letter' in screen ? [[`g ${screen.letter}`, screen.title] as const] : [],
  )
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <Checkbox
        label="Shortcuts of single keys"
        description="Switch them off if you speak to your computer, or press keys by accident. Ctrl K stays."
        checked={isOn}
        onChange={({ target }) => setSingleKeys(target.checked)}
      />
      <dl className="shortcuts">
        {[...general, ...screens].map(([keys, title]) => (
          <div key={keys} className="shortcut">
            <dt>{keys.split(' ').map((key) => (key === 'or' ? ' or ' : <kbd key={key}>{key}</kbd>))}</dt>
            <dd>{title}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
