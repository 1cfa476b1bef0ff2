import type { Reason } from '../reasons.rules.ts'

/** `completion_reason` of meetings, with those of lifecycle.v1 (Vexa-ai/vexa at 4647c96). Null: it was asked to leave. */
export const vexaReasons: Record<string, Reason | null> = {
  stopped: null,
  left_alone: 'ALONE',
  startup_alone: 'NOBODY_CAME',
  evicted: 'REMOVED',
  max_bot_time_exceeded: 'MAX_DURATION',
  awaiting_admission_timeout: 'NOT_ADMITTED',
  awaiting_admission_rejected: 'DENIED',
  validation_error: 'NOT_FOUND',
  auth_session_missing: 'LOGIN_REQUIRED',
  join_failure: 'VENDOR_ERROR',
}

/** The vendor has called bots that never got in `completed`: the stage counts more than the word. */
export function vexaReason(
  reason: string | null,
  { stage, wasAdmitted }: { stage: string | null; wasAdmitted: boolean },
): Reason | null {
  const known = reason !== null && Object.hasOwn(vexaReasons, reason) ? vexaReasons[reason] : undefined
  if (!wasAdmitted && (known === 'ALONE' || known === 'REMOVED' || known === undefined))
    return stage === 'awaiting_admission' ? 'NOT_ADMITTED' : 'VENDOR_ERROR'
  if (known !== undefined) return known
  return 'MEETING_ENDED'
}
