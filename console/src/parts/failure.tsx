import { AtriumError } from '@atrium/sdk/admin'
import { Alert, Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { words } from './words.ts'

const titles: Record<string, string | undefined> = {
  NOT_FOUND: words.notFound,
  INSUFFICIENT_ROLE: words.insufficientRole,
  NETWORK_ERROR: words.noAnswer,
  TIMEOUT: words.noAnswer,
  UNAVAILABLE: words.unavailable,
  RATE_LIMITED: words.rateLimited,
  STATE_CONFLICT: words.stateConflict,
  PRECONDITION_FAILED: words.preconditionFailed,
  SESSION_INVALID: words.sessionInvalid,
}
const retryAfterMs = 5000

/** Why something could not be done, with all that helps to find out more. Temporary failures try again by themselves. */
export function Failure({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const known = error instanceof AtriumError ? error : null
  const isTemporary = known !== null && [0, 429, 503].includes(known.status)
  const left = useCountdown(isTemporary && onRetry ? (known.retryAfterMs ?? retryAfterMs) : null, onRetry)
  return (
    <Alert color="red" variant="light" role="alert" title={(known && titles[known.code]) ?? words.didNotWork}>
      <p>{known?.message ?? words.consoleFault}</p>
      {known && known.allowed.length > 0 && <p>{words.allowedNow(known.allowed.join(', '))}</p>}
      {left !== null && <p>{words.tryingAgainIn(left)}</p>}
      {known && known.status > 0 && (
        <p className="failure-details">
          <a href={`/docs/errors#${known.code}`}>{known.code}</a>
          {known.requestId && ` · ${words.request(known.requestId)}`}
        </p>
      )}
      {onRetry && (
        <Button size="xs" variant="default" onClick={onRetry}>
          {words.tryAgain}
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
