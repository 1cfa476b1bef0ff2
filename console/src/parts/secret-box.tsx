import { Alert, Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { CopyText } from './copy-text.tsx'

/** A secret that is shown once. It leaves the page with the box. */
export function SecretBox(props: {
  label: string
  secret: string
  hint: string
  onKept: () => void
  children?: ReactNode
}) {
  const { label, secret, hint, onKept, children } = props
  return (
    <Alert className="secret" color="blue" variant="light" title={`${label}: copy it now`} role="status">
      <p>{hint}</p>
      <CopyText label={label} text={secret} />
      <div className="form-acts">
        <Button size="xs" onClick={onKept}>
          I have stored it
        </Button>
        {children}
      </div>
    </Alert>
  )
}
