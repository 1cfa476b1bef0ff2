import { useEffect } from 'react'
import { navigate } from './address.ts'
import { screenList } from './screen-list.ts'
import { areSingleKeysOn } from './single-keys.ts'

const secondKeyMs = 1500

/**
 * Ctrl or Cmd and K, or `/`: search. `?`: the list of these. `g` and then the letter of a screen. Single keys not while somebody
 * types, or where they are switched off.
 */
export function useShortcuts({ search, help }: { search: () => void; help: () => void }): void {
  useEffect(() => {
    let pressedAt = Number.NEGATIVE_INFINITY
    const onKey = (event: KeyboardEvent) => {
      if (isSearch(event)) {
        event.preventDefault()
        search()
        return
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || !areSingleKeysOn()) return
      if (event.key === '/' || event.key === '?') {
        event.preventDefault()
        if (event.key === '/') search()
        else help()
        return
      }
      if (event.key === 'g') {
        pressedAt = event.timeStamp
        return
      }
      const screen = screenList.find((entry) => 'letter' in entry && entry.letter === event.key)
      if (screen && event.timeStamp - pressedAt < secondKeyMs) {
        event.preventDefault()
        navigate(screen.path)
      }
      pressedAt = Number.NEGATIVE_INFINITY
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [search, help])
}

function isSearch({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return (ctrlKey || metaKey) && key === 'k'
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName))
}
