import type { Attack } from './attack.ts'
import { hostileFrames, manyFrames } from './frames.ts'
import { inboundSecretPattern } from './inbound-secret-pattern.ts'
import { mailAsJson } from './mail-as-json.ts'
import { manyMembers, manyMembersWithKey } from './many-members.ts'
import { stoppedBodies } from './stopped-bodies.ts'
import { unsignedNotification } from './unsigned-notification.ts'
import { unsignedTracker } from './unsigned-tracker.ts'

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
]
