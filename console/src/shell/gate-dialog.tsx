import { Alert, Button, PasswordInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { type Gate, gates } from '../doors/gates.ts'
import { confirmSession, type Refusal, signIn } from '../doors/session.ts'
import { Dialog } from '../parts/dialog.tsx'
import { words } from './words.ts'

const texts = {
  session: { title: words.signInAgain, hint: words.sessionEnded, act: words.signIn },
  confirmation: {
    title: words.confirmYourself,
    hint: words.confirmYourselfHint,
    act: words.confirm,
  },
}

export function GateDialog({ gate }: { gate: Gate }) {
  const [adminKey, setAdminKey] = useState('')
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const { title, hint, act } = texts[gate]
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const answer = await (gate === 'session' ? signIn({ adminKey }) : confirmSession(adminKey))
    if ('session' in answer) gates.settle(true)
    else setRefusal(answer)
  }
  return (
    <Dialog title={title} onClose={() => gates.settle(false)}>
      <form className="form" onSubmit={submit}>
        <p>{hint}</p>
        {refusal && (
          <Alert color="red" role="alert">
            {refusal.detail ?? refusal.code}
          </Alert>
        )}
        <PasswordInput
          label={words.adminKey}
          value={adminKey}
          autoComplete="current-password"
          onChange={({ target }) => setAdminKey(target.value)}
          required
        />
        <Button type="submit" disabled={adminKey === ''}>
          {act}
        </Button>
      </form>
    </Dialog>
  )
}
