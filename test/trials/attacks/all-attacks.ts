import { anonymousRegistration } from './anonymous-registration.ts'
import type { Attack } from './attack.ts'
import { hostileFrames, manyFrames } from './frames.ts'
import { guessedPassword } from './guessed-password.ts'
import { inboundSecretPattern } from './inbound-secret-pattern.ts'
import { mailAsJson } from './mail-as-json.ts'
import { manyMembers, manyMembersWithKey } from './many-members.ts'
import { silencedProvider } from './silenced-provider.ts'
import { stoppedBodies, stoppedChunks } from './stopped-bodies.ts'
import { unsignedNotification } from './unsigned-notification.ts'
import { unsignedTracker } from './unsigned-tracker.ts'
import { wrongCredentials } from './wrong-credentials.ts'

/** Every attack of the trial, each in a file of its own. */
export const allAttacks: Attack[] = [
  inboundSecretPattern,
  manyMembers,
  manyMembersWithKey,
  unsignedTracker,
  unsignedNotification,
  mailAsJson,
  manyFrames,
  hostileFrames,
  stoppedBodies,
  stoppedChunks,
  wrongCredentials,
  silencedProvider,
  guessedPassword,
  anonymousRegistration,
]
