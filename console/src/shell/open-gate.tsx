import { lazy, Suspense, useSyncExternalStore } from 'react'
import { gates } from '../doors/gates.ts'

const GateDialog = lazy(async () => ({ default: (await import('./gate-dialog.tsx')).GateDialog }))

/** Over the page, so that a form stays as it is while somebody signs in again. */
export function OpenGate() {
  const gate = useSyncExternalStore(gates.subscribe, gates.current)
  return <Suspense>{gate && <GateDialog key={gate} gate={gate} />}</Suspense>
}
