import { Alert, Button } from '@mantine/core'
import { CopyText } from './copy-text.tsx'

/** A secret that is shown once. It leaves the page with the box. */
export function SecretBox(props: { label: string; secret: string; hint: string; onKept: () => void }) {
  const { label, secret, hint, onKept } = props
  return (
    <Alert className="secret" color="blue" variant="light" title={`${label}: copy it now`} role="status">
      <p>{hint}</p>
      <CopyText label={label} text={secret} />
      <Button size="xs" onClick={onKept}>
        I have stored it
      </Button>
    </Alert>
  )
}
