import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testClock } from '../../test/harness/clock.ts'
import { tenantCircuits } from './tenant-circuits.ts'

function world() {
  const clock = testClock()
  const circuits = tenantCircuits(clock)
  const fail = (tenantId: string, times: number) => {
    let sent = 0
    for (let time = 0; time < times; time++) {
      if (!circuits.mayRequest(tenantId)) continue
      sent++
      circuits.failed(tenantId)
    }
    return sent
  }
  const succeed = (tenantId: string) => {
    const isSent = circuits.mayRequest(tenantId)
    if (isSent) circuits.succeeded(tenantId)
    return isSent
  }
  return { clock, circuits, fail, succeed }
}

test('a tenant whose requests fail pauses the model for itself, and for nobody else', () => {
  const { clock, fail, succeed } = world()
  assert.equal(fail('a', 50), 5)
  assert.equal(succeed('b'), true)
  for (let minute = 0; minute < 20; minute++) {
    clock.advance({ seconds: 61 })
    assert.equal(fail('a', 50), 1, 'one request tries')
    assert.equal(succeed('b'), true)
  }
  clock.advance({ seconds: 61 })
  assert.equal(succeed('a'), true)
  assert.equal(fail('a', 50), 5, 'a success forgets the failures before it')
})

test('an endpoint that fails for three tenants is paused for all', () => {
  const { clock, fail, succeed } = world()
  assert.equal(fail('a', 2) + fail('b', 2), 4)
  assert.equal(succeed('c'), true)
  assert.equal(fail('a', 2) + fail('b', 2) + fail('c', 2), 5)
  assert.equal(succeed('d'), false)
  clock.advance({ seconds: 61 })
  assert.equal(succeed('d'), true)
  assert.equal(succeed('e'), true)
})

test('a pause that the endpoint asks for holds for all tenants', () => {
  const { clock, circuits, succeed } = world()
  assert.equal(circuits.mayRequest('a'), true)
  circuits.failed('a', 30)
  assert.equal(succeed('b'), false)
  clock.advance({ seconds: 31 })
  assert.equal(succeed('b'), true)
})

test('after a pause one request at a time tries, and a tenant that is paused itself does not block the try of another', () => {
  const { clock, circuits, fail, succeed } = world()
  for (const tenantId of ['a', 'b', 'c']) fail(tenantId, 5)
  clock.advance({ seconds: 61 })
  assert.equal(circuits.mayRequest('a'), true)
  assert.equal(circuits.mayRequest('b'), false)
  circuits.failed('a')
  fail('a', 50)
  assert.equal(succeed('b'), true)
})
