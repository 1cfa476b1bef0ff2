import type { NodeAuthenticator, NodeCaller } from '../../http/access/callers.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { readNodeToken } from '../node-token.rules.ts'
import { findEnrollment, findNode } from './node.store.ts'

/** A change of peers costs its node two requests, and no revocation may wait for a window to end. */
const nodeRequestsPerSecond = 20

/** Nothing about nodes is cached: a node whose token was revoked is refused from its next request on. */
export function nodeAuthenticator({ platform, clock }: { platform: PlatformScope; clock: Clock }): NodeAuthenticator {
  return {
    nodeRequestsPerSecond,
    nodeToken: async (text): Promise<NodeCaller | null> => {
      const tokenHash = readNodeToken('node', text)
      const node = tokenHash === null ? null : await findNode(platform, tokenHash)
      return node === null || tokenHash === null ? null : { ...node, tokenHash }
    },
    enrollmentToken: async (text): Promise<NodeCaller | null> => {
      const tokenHash = readNodeToken('enrollment', text)
      const node = tokenHash === null ? null : await findEnrollment(platform, tokenHash, clock.now())
      return node === null || tokenHash === null ? null : { ...node, tokenHash }
    },
  }
}
