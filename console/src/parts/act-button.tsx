import { Button } from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'
import type { Role } from '../doors/session.ts'
import { useWhyNot } from '../shell/session-context.ts'
import { Dialog } from './dialog.tsx'
import { Failure } from './failure.tsx'
import { Field } from './fields.tsx'
import { useAct } from './use-act.ts'

type Props = {
  children: ReactNode
  needs: Role
  act: () => Promise<unknown>
  /** What will follow. Asked before it is done. */
  confirm?: { title: string; text: ReactNode /** Has to be typed. */; name?: string }
  isDangerous?: boolean
  /** For a reason that is said beside it. */
  isOff?: boolean
}

/** A button that changes something. Without the role for it, it is there, disabled, and says why. */
export function ActButton({ children, needs, act, confirm, isDangerous = false, isOff = false }: Props) {
  const whyNot = useWhyNot(needs)
  const reason = useId()
  const [isAsking, setIsAsking] = useState(false)
  const [typed, setTyped] = useState('')
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
        <Dialog title={confirm.title} onClose={() => setIsAsking(false)}>
          <div className="form">
            <p>{confirm.text}</p>
            {confirm.name && <Field label={`Type ${confirm.name} to confirm`} value={typed} onChange={setTyped} />}
            {running.error !== null && <Failure error={running.error} />}
            <div className="form-acts">
              <Button
                color="red"
                loading={running.isRunning}
                disabled={confirm.name !== undefined && typed !== confirm.name}
                onClick={() => void running.run()}
              >
                {children}
              </Button>
              <Button variant="default" onClick={() => setIsAsking(false)}>
                Cancel
              </Button>
            </div>
          </div>
        </Dialog>
      )}
    </span>
  )
}
