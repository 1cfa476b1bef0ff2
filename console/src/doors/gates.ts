// Questions that a refused request puts to the person. The dialog of the shell answers them; requests that wait for the same
// answer share it.

export type Gate = 'session' | 'confirmation'
type Question = { gate: Gate; answer: Promise<boolean>; settle: (isGiven: boolean) => void }

let open: Question | null = null
const listeners = new Set<() => void>()

export const requireSession = () => ask('session')
export const requireConfirmation = () => ask('confirmation')

/** The question on the screen, for `useSyncExternalStore`. */
export const gates = {
  current: () => open?.gate ?? null,
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  settle: (isGiven: boolean) => {
    const settled = open
    open = null
    settled?.settle(isGiven)
    for (const listener of listeners) listener()
  },
}

function ask(gate: Gate): Promise<boolean> {
  if (open) return open.answer
  const { promise, resolve } = Promise.withResolvers<boolean>()
  open = { gate, answer: promise, settle: resolve }
  for (const listener of listeners) listener()
  return promise
}
