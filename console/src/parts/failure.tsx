import { AtriumError } from '@atrium/sdk/admin'
import { Alert, Button } from '@mantine/core'
import { useEffect, useState } from 'react'

const titles: Record<string, string | undefined> = {
  NOT_FOUND: 'There is no such thing',
  INSUFFICIENT_ROLE: 'Your role does not allow this',
  NETWORK_ERROR: 'The service does not answer',
  TIMEOUT: 'The service does not answer',
  UNAVAILABLE: 'The service cannot answer right now',
  RATE_LIMITED: 'Too many requests',
  STATE_CONFLICT: 'This cannot be done in the present state',
  PRECONDITION_FAILED: 'Somebody else has changed this meanwhile',
  SESSION_INVALID: 'You are no longer signed in',
}
const retryAfterMs = 5000

/** Why something could not be done, with all that helps to find out more. Temporary failures try again by themselves. */
export function Failure({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const known = error instanceof AtriumError ? error : null
  const isTemporary = known !== null && [0, 429, 503].includes(known.status)
  const left = useCountdown(isTemporary && onRetry ? (known.retryAfterMs ?? retryAfterMs) : null, onRetry)
  return (
    <Alert color="red" variant="light" role="alert" title={(known && titles[known.code]) ?? 'This did not work'}>
      <p>{known?.message ?? 'The console has a fault. Reload the page; if it stays, please report it.'}</p>
      {known && known.allowed.length > 0 && <p>Allowed now: {known.allowed.join(', ')}.</p>}
      {left !== null && <p>Trying again in {left} s.</p>}
      {known && known.status > 0 && (
        <p className="failure-details">
          <a href={`/docs/errors#${known.code}`}>{known.code}</a> · request {known.requestId}
        </p>
      )}
      {onRetry && (
        <Button size="xs" variant="default" onClick={onRetry}>
          Try again
        </Button>
      )}
    </Alert>
  )
}

/** Whole seconds until `act` is called; null while nothing is planned. */
function useCountdown(ms: number | null, act: (() => void) | undefined): number | null {
  const [left, setLeft] = useState(ms === null ? null : Math.ceil(ms / 1000))
  useEffect(() => {
    if (left === null) return
    const timer = setTimeout(() => {
      if (left > 1) return setLeft(left - 1)
      act?.()
      setLeft(ms === null ? null : Math.ceil(ms / 1000))
    }, 1000)
    return () => clearTimeout(timer)
  }, [left, ms, act])
  return left
}
