import type { Reason } from '../reasons.rules.ts'

/** https://docs.recall.ai/docs/sub-codes, read 2026-11-24. Null: it was asked to leave. */
export const recallReasons: Record<string, Reason | null> = {
  bot_received_leave_call: null,
  call_ended_by_host: 'MEETING_ENDED',
  call_ended_by_platform_idle: 'MEETING_ENDED',
  call_ended_by_platform_max_length: 'MEETING_ENDED',
  call_ended_by_platform_waiting_room_timeout: 'NOT_ADMITTED',
  timeout_exceeded_waiting_room: 'NOT_ADMITTED',
  timeout_exceeded_noone_joined: 'NOBODY_CAME',
  timeout_exceeded_everyone_left: 'ALONE',
  timeout_exceeded_only_bots_in_call: 'ALONE',
  timeout_exceeded_only_bots_detected_using_participant_events: 'ALONE',
  timeout_exceeded_only_bots_detected_using_participant_names: 'ALONE',
  timeout_exceeded_silence_detected: 'SILENCE',
  timeout_exceeded_max_duration: 'MAX_DURATION',
  timeout_exceeded_in_call_recording: 'MAX_DURATION',
  timeout_exceeded_in_call_not_recording: 'DENIED',
  timeout_exceeded_recording_permission_denied: 'DENIED',
  bot_kicked_from_call: 'REMOVED',
  bot_kicked_from_waiting_room: 'DENIED',
  meeting_ended: 'MEETING_ENDED',
  meeting_not_started: 'NOBODY_CAME',
  meeting_not_found: 'NOT_FOUND',
  meeting_link_expired: 'NOT_FOUND',
  meeting_link_invalid: 'NOT_FOUND',
  meeting_locked: 'DENIED',
  meeting_full: 'DENIED',
  meeting_password_incorrect: 'LOGIN_REQUIRED',
  meeting_requires_registration: 'LOGIN_REQUIRED',
  meeting_requires_sign_in: 'LOGIN_REQUIRED',
  google_meet_bot_blocked: 'BLOCKED',
  google_meet_knocking_disabled: 'LOGIN_REQUIRED',
  google_meet_sign_in_missing_login_credentials: 'LOGIN_REQUIRED',
  microsoft_teams_sign_in_credentials_missing: 'LOGIN_REQUIRED',
  microsoft_teams_captcha_detected: 'BLOCKED',
  zoom_sdk_app_not_published: 'HOST_TOKEN_REQUIRED',
  zoom_on_behalf_token_required: 'HOST_TOKEN_REQUIRED',
  bot_errored: 'VENDOR_ERROR',
}

/** What an unknown word means depends on where the bot was. */
export function recallReason(
  { subCode }: { subCode: string | null },
  { isFatal, wasAdmitted }: { isFatal: boolean; wasAdmitted: boolean },
): Reason | null {
  if (subCode !== null && Object.hasOwn(recallReasons, subCode)) return recallReasons[subCode] ?? null
  return isFatal || !wasAdmitted ? 'VENDOR_ERROR' : 'MEETING_ENDED'
}
