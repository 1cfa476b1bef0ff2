import { Alert, Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { CopyText } from './copy-text.tsx'
import { words } from './words.ts'

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
    <Alert className="secret" color="blue" variant="light" title={words.copyNow(label)} role="status">
      <p>{hint}</p>
      <CopyText label={label} text={secret} />
      <div className="form-acts">
        <Button size="xs" onClick={onKept}>
          {words.stored}
        </Button>
        {children}
      </div>
    </Alert>
  )
}
