import assert from 'node:assert/strict'
import { test } from 'node:test'
import { peerState } from './device.rules.ts'

test('a peer is there or gone once the node has acknowledged it, and at once where there is no node', () => {
  const states = [
    [{ hasAgent: true, isPeerWanted: true, isPeerAcknowledged: false }, 'PENDING'],
    [{ hasAgent: true, isPeerWanted: true, isPeerAcknowledged: true }, 'APPLIED'],
    [{ hasAgent: true, isPeerWanted: false, isPeerAcknowledged: false }, 'REMOVING'],
    [{ hasAgent: true, isPeerWanted: false, isPeerAcknowledged: true }, 'NONE'],
    [{ hasAgent: false, isPeerWanted: true, isPeerAcknowledged: false }, 'APPLIED'],
    [{ hasAgent: false, isPeerWanted: false, isPeerAcknowledged: false }, 'NONE'],
  ] as const
  for (const [device, state] of states) assert.equal(peerState(device), state)
})
