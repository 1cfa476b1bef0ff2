import type { Clock } from '../../kernel/clock.ts'
import type { Schemes } from '../connections/connection.rules.ts'
import type { Candidate } from '../connections/connection.store.ts'
import type { ConnectionSecrets } from '../connections/connection-secrets.ts'
import type { IncomingDelivery } from '../incoming-delivery.ts'
import type { Scheme } from '../scheme.ts'
import type { Rejection } from './delivery.rules.ts'

/** `unavailable`: the provider's keys cannot be fetched now, so the delivery is neither valid nor invalid. */
export type VerificationResult =
  | { kind: 'verified'; scheme: Scheme; secrets: string[]; isUnsigned: boolean }
  | ({ kind: 'failed' } & Rejection)
  | { kind: 'unavailable' }

export type VerificationDeps = { clock: Clock; schemes: Schemes; secrets: ConnectionSecrets }

export type Verify = (candidate: Candidate) => Promise<VerificationResult>

/** Checks one delivery against connections: the signature is verified at most once for each of them. */
export function deliveryVerifier(deps: VerificationDeps, delivery: IncomingDelivery): Verify {
  const results = new Map<string, Promise<VerificationResult>>()
  return (candidate) => {
    const result = results.get(candidate.id) ?? verify(deps, candidate, delivery)
    results.set(candidate.id, result)
    return result
  }
}

async function verify(
  { clock, schemes, secrets }: VerificationDeps,
  candidate: Candidate,
  delivery: IncomingDelivery,
): Promise<VerificationResult> {
  const scheme = schemes[candidate.scheme]
  if (scheme === undefined)
    return { kind: 'failed', cause: 'UNREADABLE', detail: `This installation has no scheme ${candidate.scheme}.` }
  // Before anything looks into the body. Whether its signature is valid is then unknown.
  if (delivery.body.length > scheme.bodyBytesMax) {
    const detail = `${delivery.body.length} bytes; the scheme accepts ${scheme.bodyBytesMax}.`
    return { kind: 'failed', cause: 'BODY_TOO_LARGE', detail }
  }
  const now = clock.now()
  const valid = validSecrets(candidate, secrets, now)
  try {
    const verification = await scheme.verify(delivery, { secrets: valid, settings: candidate.settings, now })
    return verification.isVerified
      ? { kind: 'verified', scheme, secrets: valid, isUnsigned: verification.isUnsigned === true }
      : { kind: 'failed', cause: verification.cause, detail: verification.detail }
  } catch {
    return { kind: 'unavailable' }
  }
}

/** The current secret, and during a rotation the previous one after it. */
function validSecrets(candidate: Candidate, secrets: ConnectionSecrets, now: Date): string[] {
  const { secretSealed, previousSecretSealed, previousUntil } = candidate
  const isPreviousValid = previousUntil !== null && now < previousUntil
  return [secretSealed, isPreviousValid ? previousSecretSealed : null].flatMap((sealed) =>
    sealed === null ? [] : [secrets.open(sealed, candidate)],
  )
}

/** Why a connection accepts nothing at the moment; null where it does. */
export function whyClosed({ isDeleted, isTenantActive, status }: Candidate): Rejection | null {
  if (isDeleted) return { cause: 'CONNECTION_DELETED', detail: 'The connection was deleted.' }
  if (!isTenantActive) return { cause: 'TENANT_SUSPENDED', detail: 'The tenant is not active.' }
  if (status === 'paused') return { cause: 'CONNECTION_PAUSED', detail: 'The connection is paused.' }
  return null
}
