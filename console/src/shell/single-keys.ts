import { useSyncExternalStore } from 'react'

// Whether single keys are shortcuts. Who steers by voice, or presses keys by accident, can switch them off (WCAG 2.1.4).

const storageKey = 'atrium-single-keys'
const changed = 'atrium:single-keys'

export function areSingleKeysOn(): boolean {
  return localStorage.getItem(storageKey) !== 'off'
}

export function setSingleKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(storageKey)
  else localStorage.setItem(storageKey, 'off')
  dispatchEvent(new Event(changed))
}

export function useSingleKeys(): boolean {
  return useSyncExternalStore(subscribe, areSingleKeysOn)
}

function subscribe(listener: () => void): () => void {
  addEventListener(changed, listener)
  return () => removeEventListener(changed, listener)
}
