import { Checkbox } from '@mantine/core'
import { Dialog } from '../parts/dialog.tsx'
import { Rich } from '../words/rich.tsx'
import { screenList } from './screen-list.ts'
import { setSingleKeys, useSingleKeys } from './single-keys.ts'
import { words } from './words.ts'

const keysOf = (keys: string) => keys.split(' ').map((key) => <kbd key={key}>{key}</kbd>)
const searchKeys = <Rich text={words.searchKeys} parts={{ ctrl: () => keysOf('Ctrl K'), cmd: () => keysOf('Cmd K') }} />
const general = [
  { name: 'search', keys: searchKeys, title: words.search },
  { name: '/', keys: keysOf('/'), title: words.search },
  { name: '?', keys: keysOf('?'), title: words.thisList },
]

export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const isOn = useSingleKeys()
  const screens = screenList.flatMap((screen) =>
    'letter' in screen
      ? [{ name: screen.path, keys: keysOf(`g ${screen.letter}`), title: words.screens[screen.path] }]
      : [],
  )
  return (
    <Dialog title={words.keyboardShortcuts} onClose={onClose}>
      <Checkbox
        label={words.singleKeys}
        description={words.singleKeysHint}
        checked={isOn}
        onChange={({ target }) => setSingleKeys(target.checked)}
      />
      <dl className="shortcuts">
        {[...general, ...screens].map(({ name, keys, title }) => (
          <div key={name} className="shortcut">
            <dt>{keys}</dt>
            <dd>{title}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
