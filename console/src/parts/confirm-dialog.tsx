import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Dialog } from './dialog.tsx'
import { Failure } from './failure.tsx'
import { Field } from './fields.tsx'
import { words } from './words.ts'

/** `name` has to be typed. */
export type Confirmation = { title: string; text: ReactNode; name?: string }

type Props = Confirmation & {
  /** What the button says. */
  act: ReactNode
  isRunning: boolean
  error: unknown
  onConfirm: () => void
  onClose: () => void
}

export function ConfirmDialog({ title, text, name, act, isRunning, error, onConfirm, onClose }: Props) {
  const [typed, setTyped] = useState('')
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="form">
        <p>{text}</p>
        {name && <Field label={words.typeToConfirm(name)} value={typed} onChange={setTyped} />}
        {error !== null && <Failure error={error} />}
        <div className="form-acts">
          <Button color="red" loading={isRunning} disabled={name !== undefined && typed !== name} onClick={onConfirm}>
            {act}
          </Button>
          <Button variant="default" onClick={onClose}>
            {words.cancel}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
