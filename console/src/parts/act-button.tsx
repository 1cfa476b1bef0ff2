import { Button } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useId, useState } from 'react'
import type { Role } from '../doors/session.ts'
import { useWhyNot } from '../shell/session-context.ts'
import type { Confirmation } from './confirm-dialog.tsx'
import { Failure } from './failure.tsx'
import { useAct } from './use-act.ts'

const ConfirmDialog = lazy(async () => ({ default: (await import('./confirm-dialog.tsx')).ConfirmDialog }))

type Props = {
  children: ReactNode
  needs: Role
  act: () => Promise<unknown>
  /** What will follow. Asked before it is done. */
  confirm?: Confirmation
  isDangerous?: boolean
  /** For a reason that is said beside it. */
  isOff?: boolean
}

/** A button that changes something. Without the role for it, it is there, disabled, and says why. */
export function ActButton({ children, needs, act, confirm, isDangerous = false, isOff = false }: Props) {
  const whyNot = useWhyNot(needs)
  const reason = useId()
  const [isAsking, setIsAsking] = useState(false)
  const running = useAct(act, () => setIsAsking(false))
  const click = () => (confirm ? setIsAsking(true) : void running.run())
  return (
    <span className="act">
      <Button
        size="xs"
        variant={isDangerous ? 'light' : 'default'}
        {...(isDangerous ? { color: 'red' } : {})}
        loading={running.isRunning}
        disabled={whyNot !== null || isOff}
        aria-describedby={whyNot ? reason : undefined}
        {...(whyNot ? { title: whyNot } : {})}
        onClick={click}
      >
        {children}
      </Button>
      {whyNot && (
        <span id={reason} className="visually-hidden">
          {whyNot}
        </span>
      )}
      {!isAsking && running.error !== null && <Failure error={running.error} />}
      {isAsking && confirm && (
        <Suspense>
          <ConfirmDialog
            {...confirm}
            act={children}
            isRunning={running.isRunning}
            error={running.error}
            onConfirm={() => void running.run()}
            onClose={() => setIsAsking(false)}
          />
        </Suspense>
      )}
    </span>
  )
}
