import { failureCauses } from '../scheme.ts'

/** Why a delivery was not accepted or not processed: the causes of the verification, and our own. */
export const causes = [
  ...failureCauses,
  'ACCOUNT_SHARED',
  'CONNECTION_PAUSED',
  'CONNECTION_DELETED',
  'TENANT_SUSPENDED',
  'CONTENT_TYPE',
  'BODY_TOO_LARGE',
  'BODY_TOO_MANY_MEMBERS',
  'UNUSABLE',
  'UNPROCESSABLE',
  'FAILED',
] as const
export type Cause = (typeof causes)[number]
