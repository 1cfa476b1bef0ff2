import { failureCauses } from '../scheme.ts'

/** Why a delivery was not taken or did not get on: those of the verification, and ours. */
export const causes = [
  ...failureCauses,
  'ACCOUNT_SHARED',
  'CONNECTION_PAUSED',
  'CONNECTION_DELETED',
  'TENANT_SUSPENDED',
  'CONTENT_TYPE',
  'BODY_TOO_LARGE',
  'UNUSABLE',
  'UNPROCESSABLE',
  'FAILED',
] as const
export type Cause = (typeof causes)[number]
