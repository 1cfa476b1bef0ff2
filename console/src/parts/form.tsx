import { Button } from '@mantine/core'
import { type FormEvent, type ReactNode, useId } from 'react'
import type { Role } from '../doors/session.ts'
import { useWhyNot } from '../shell/session-context.ts'
import { Failure } from './failure.tsx'
import type { Act } from './use-act.ts'
import { words } from './words.ts'

type Props = {
  act: Pick<Act<never[], unknown>, 'isRunning' | 'error' | 'fieldErrors'>
  onSubmit: () => void
  submit: string
  needs: Role
  children: ReactNode
  onCancel?: () => void
}

/** Errors of fields are at the fields; all others above the button. */
export function Form({ act, onSubmit, submit, needs, children, onCancel }: Props) {
  const whyNot = useWhyNot(needs)
  const reason = useId()
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (whyNot === null) onSubmit()
  }
  const hasFieldErrors = Object.keys(act.fieldErrors).length > 0
  return (
    <form className="form" onSubmit={send} noValidate>
      {children}
      {act.error !== null && !hasFieldErrors && <Failure error={act.error} />}
      {hasFieldErrors && (
        <p role="alert">
          {Object.entries(act.fieldErrors)
            .map(([name, text]) => `${name} ${text}`)
            .join('. ')}
          .
        </p>
      )}
      {whyNot && (
        <p id={reason} className="dim">
          {whyNot}
        </p>
      )}
      <div className="form-acts">
        <Button
          type="submit"
          loading={act.isRunning}
          disabled={whyNot !== null}
          aria-describedby={whyNot ? reason : undefined}
        >
          {submit}
        </Button>
        {onCancel && (
          <Button variant="default" onClick={onCancel}>
            {words.cancel}
          </Button>
        )}
      </div>
    </form>
  )
}
