import type { Reason } from '../reasons.rules.ts'

/** Of the bot's events, with their sub types (bots/models.py of attendee-labs/attendee at 77e990e). Null: asked to leave. */
export const attendeeReasons: Record<string, Reason | null> = {
  user_requested: null,
  auto_leave_silence: 'SILENCE',
  auto_leave_only_participant_in_meeting: 'ALONE',
  auto_leave_max_uptime_exceeded: 'MAX_DURATION',
  auto_leave_could_not_enable_closed_captions: 'VENDOR_ERROR',
  meeting_not_started_waiting_for_host: 'NOBODY_CAME',
  waiting_room_timeout_exceeded: 'NOT_ADMITTED',
  request_to_join_denied: 'DENIED',
  meeting_not_found: 'NOT_FOUND',
  unable_to_connect_to_meeting: 'NOT_FOUND',
  login_required: 'LOGIN_REQUIRED',
  bot_login_attempt_failed: 'LOGIN_REQUIRED',
  blocked_by_captcha: 'BLOCKED',
  unpublished_zoom_app: 'HOST_TOKEN_REQUIRED',
  zoom_authorization_failed: 'HOST_TOKEN_REQUIRED',
  authorized_user_not_in_meeting_timeout_exceeded: 'HOST_TOKEN_REQUIRED',
  zoom_meeting_status_failed: 'VENDOR_ERROR',
  zoom_sdk_internal_error: 'VENDOR_ERROR',
  ui_element_not_found: 'PAGE_CHANGED',
  process_terminated: 'VENDOR_ERROR',
  rtmp_connection_failed: 'VENDOR_ERROR',
  heartbeat_timeout: 'VENDOR_ERROR',
  bot_not_launched: 'VENDOR_ERROR',
  out_of_credits: 'VENDOR_ERROR',
  attendee_internal_error: 'VENDOR_ERROR',
}

export type AttendeeEvent = { type: string; subType: string | null; at: Date | null; isRemoval: boolean }

const decisive = ['could_not_join_meeting', 'fatal_error', 'leave_requested', 'meeting_ended']

/** The first event that ended it says why: what comes after follows from it. */
export function attendeeReason(
  events: AttendeeEvent[],
  wasAdmitted: boolean,
): { reason: Reason | null; detail: string | null } {
  const cause = events.find(({ type }) => decisive.includes(type))
  const detail = cause === undefined ? null : (cause.subType ?? cause.type)
  if (cause?.isRemoval) return { reason: wasAdmitted ? 'REMOVED' : 'DENIED', detail }
  if (cause?.subType && Object.hasOwn(attendeeReasons, cause.subType))
    return { reason: attendeeReasons[cause.subType] ?? null, detail }
  const hasEnded = cause?.type === 'meeting_ended' || (cause === undefined && wasAdmitted)
  if (cause?.type === 'leave_requested') return { reason: null, detail }
  return { reason: hasEnded ? 'MEETING_ENDED' : 'VENDOR_ERROR', detail }
}
