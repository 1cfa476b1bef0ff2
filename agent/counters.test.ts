import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { counters, peersOfReportMax, reportedPeers } from './counters.ts'

const seen = (rx: number, publicKey = 'a', handshakeAt = 500) => ({ publicKey, handshakeAt, rx, tx: 0 })
const rxOf = (counted: ReturnType<typeof counters>) => counted.next()?.peers.map(({ rxBytes }) => rxBytes)

describe('counters of an epoch', () => {
  test('go on from what was told before, also of what came while the agent was away', () => {
    const counted = counters({ a: { rx: 100, tx: 0 } })
    counted.observe([seen(150), seen(7, 'b')])
    assert.deepEqual(rxOf(counted), [50, 7])
  })

  test('begin at zero when nothing is known of before: counting twice is worse than not counting', () => {
    const counted = counters(undefined)
    counted.observe([seen(150)])
    counted.observe([seen(160)])
    assert.deepEqual(rxOf(counted), [10])
  })

  test('go on over a new interface, a removed peer and one that is there again', () => {
    const counted = counters({})
    counted.observe([seen(100)])
    counted.observe([seen(30)])
    counted.removed(['a'])
    counted.observe([])
    counted.observe([seen(200)])
    assert.deepEqual(rxOf(counted), [330])
  })

  test('never go back and miss nothing, whatever is removed and added again', () => {
    const event = fc.oneof(fc.nat({ max: 100 }), fc.constant('removed' as const))
    fc.assert(
      fc.property(fc.array(event), (events) => {
        const counted = counters({})
        let [raw, all, told] = [0, 0, 0]
        for (const it of events) {
          if (it === 'removed') {
            counted.removed(['a'])
            raw = 0
          } else {
            raw += it
            all += it
          }
          counted.observe([seen(raw)])
          const [now = told] = rxOf(counted) ?? []
          assert.ok(now >= told)
          told = now
          counted.acknowledged()
        }
        assert.equal(told, all)
      }),
    )
  })

  test('are sent when they changed and not again', () => {
    const counted = counters({})
    counted.observe([seen(1), { ...seen(0, 'b'), handshakeAt: 0 }])
    assert.deepEqual(
      counted.next()?.peers.map(({ publicKey }) => publicKey),
      ['a'],
    )
    counted.acknowledged()
    assert.equal(counted.next(), undefined)
    assert.deepEqual(counted.next({ isFirst: true })?.peers, [])
    counted.acknowledged()
    counted.observe([seen(1, 'a', 620)])
    assert.equal(counted.next()?.peers[0]?.handshakeAt, 620)
  })

  test('of a report that may have arrived are sent under its number until it is acknowledged, and then the latest', () => {
    const counted = counters({})
    counted.observe([seen(1)])
    const first = counted.next()
    counted.observe([seen(5)])
    assert.equal(counted.next(), first)
    counted.acknowledged()
    assert.deepEqual([counted.next()?.seq, rxOf(counted)], [2, [5]])
  })

  test('of a report that the platform does not take are told by the next', () => {
    const counted = counters({})
    counted.observe([seen(1)])
    counted.next()
    counted.abandoned()
    counted.observe([seen(4)])
    assert.deepEqual([counted.next()?.seq, rxOf(counted)], [2, [4]])
  })

  test('that no report has told are left to the epoch after this one', () => {
    const counted = counters({})
    counted.observe([seen(100), seen(10, 'gone')])
    counted.next()
    counted.observe([seen(140), seen(10, 'gone')])
    counted.acknowledged()
    assert.deepEqual(
      counted.reportedCounters((key) => key === 'a'),
      { a: { rx: 100, tx: 0 } },
    )
  })

  test('of very many peers are told in several reports', () => {
    const counted = counters({})
    counted.observe(Array.from({ length: peersOfReportMax + 1 }, (_, at) => seen(1, `key ${at}`)))
    assert.equal(counted.next()?.peers.length, peersOfReportMax)
    counted.acknowledged()
    assert.equal(counted.next()?.peers.length, 1)
  })
})

test('a handshake is told by its age, none below 0, and none at all when there was none', () => {
  const peer = { publicKey: 'a', rxBytes: 1, txBytes: 2 }
  const ages = [990.4, 0, 2000].map(
    (handshakeAt) => reportedPeers({ seq: 1, peers: [{ ...peer, handshakeAt }] }, 1000)[0]?.handshakeAgeSeconds,
  )
  assert.deepEqual(ages, [9, null, 0])
})
