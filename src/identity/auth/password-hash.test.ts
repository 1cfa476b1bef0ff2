import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../kernel/refusal.ts'
import { passwordHasher } from './password-hash.ts'

const isUnavailable = (fault: unknown) => fault instanceof Refusal && fault.code === 'UNAVAILABLE'

test('a password is stored as argon2id with 19 MiB, two passes and one lane, each time with its own salt', async () => {
  const hasher = passwordHasher()
  const [one, two] = await Promise.all([hasher.hash('correct-horse'), hasher.hash('correct-horse')])
  assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  assert.notEqual(one, two)
  assert.equal(await hasher.verify(one, 'correct-horse'), true)
  assert.equal(await hasher.verify(one, 'correct-horse '), false)
  assert.equal(await hasher.verify(one, ''), false)
})

test('a password matches however its accents were typed', async () => {
  const hasher = passwordHasher()
  assert.equal(await hasher.verify(await hasher.hash('d\u00E9j\u00E0-vu'), 'de\u0301ja\u0300-vu'), true)
})

test('a check for an unknown user takes as long as a real one', async () => {
  const hasher = passwordHasher()
  const stored = await hasher.hash('correct-horse')
  const msOf = async (hash: string | null) => {
    const start = process.hrtime.bigint()
    assert.equal(await hasher.verify(hash, 'wrong-horse'), false)
    return Number(process.hrtime.bigint() - start) / 1e6
  }
  const known: number[] = []
  const unknown: number[] = []
  for (let round = 0; round < 10; round += 1) {
    known.push(await msOf(stored))
    unknown.push(await msOf(null))
  }
  // Compares the fastest rounds, which are disturbed least. Without the decoy hash the ratio would be near zero.
  const ratio = Math.min(...unknown) / Math.min(...known)
  assert.ok(ratio > 0.5 && ratio < 2, `ratio ${ratio}`)
})

test('a hash with other parameters is stale', async () => {
  const hasher = passwordHasher()
  assert.equal(hasher.isStale(await hasher.hash('correct-horse')), false)
  assert.equal(hasher.isStale('$argon2id$v=19$m=4096,t=3,p=1$c29tZXNhbHQ$c29tZWhhc2g'), true)
})

test('passwords beyond the queue limit are refused at once, and all others are served', async () => {
  const hasher = passwordHasher({ concurrent: 2, queueMax: 3 })
  const answers = await Promise.allSettled(Array.from({ length: 8 }, (_, at) => hasher.hash(`password ${at}`)))

  const statuses = answers.map((answer) => answer.status)
  assert.deepEqual(statuses, [...Array(5).fill('fulfilled'), ...Array(3).fill('rejected')])
  for (const answer of answers) if (answer.status === 'rejected') assert.ok(isUnavailable(answer.reason))
  assert.equal(await hasher.verify(await hasher.hash('free again'), 'free again'), true)
})

test('a failed check frees its slot', async () => {
  const hasher = passwordHasher({ concurrent: 1, queueMax: 0 })
  await assert.rejects(hasher.verify('not a hash', 'password'), (fault) => !isUnavailable(fault))
  assert.equal(await hasher.verify(null, 'password'), false)
})

test('hashing for sixteen parallel logins does not block the event loop', async () => {
  const hasher = passwordHasher()
  let isDone = false
  let turnsTaken = 0
  const count = () => {
    turnsTaken += 1
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  await Promise.all(Array.from({ length: 16 }, () => hasher.verify(null, 'wrong-horse')))
  isDone = true
  // If hashing ran on the event loop, there would be about one turn per hash.
  assert.ok(turnsTaken > 200, `only ${turnsTaken} turns`)
})
