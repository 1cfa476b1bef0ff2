import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type TestApp, testApp, testSecrets } from '../../../test/harness/app.ts'
import { freshDatabase } from '../../../test/harness/database.ts'
import { newId } from '../../kernel/ids.ts'
import type { Database } from '../../storage/database.ts'
import { many, one, run, sql } from '../../storage/query.ts'
import { type PlatformScope, scopeToTenant, transaction } from '../../storage/scope.ts'
import type { Sql } from '../../storage/sql.ts'
import { type Audit, auditRecorder } from './audit.store.ts'
import { auditChain } from './audit-chain.service.ts'
import { type Verification, type VerificationOptions, verifyAudit } from './audit-verification.service.ts'

const key = testSecrets.derive('audit-chain')

describe('the hash chain of the audit log', () => {
  let database: Database
  let app: TestApp
  let audit: Audit
  let tenantId: string
  /** The scope that reads the log. */
  let scope: PlatformScope

  before(async () => {
    database = await freshDatabase()
    app = await testApp({ database })
    scope = app.platform
    audit = auditRecorder(app.clock, key)
    tenantId = (await app.tenant()).id
    for (let count = 0; count < 20; count++) await write()
    await seal()
  })
  after(() => database.close())

  const chain = (retentionDays = 365) => auditChain({ key, clock: app.clock, retentionDays })
  const seal = () => chain().seal(scope)
  const verify = (options: Partial<VerificationOptions> = {}) => verifyAudit(scope, { key, ...options })
  const change = (statement: Sql) => run(scope, statement)
  const verdictOf = ({ ok, firstBadSeq, reason }: Verification) => [ok, firstBadSeq, reason]

  async function write(action = 'thing.change'): Promise<void> {
    const entry = {
      action,
      target: { type: 'thing', id: 'a "thing", with = and é' },
      changes: { z: 1, a: { from: 0.1, to: null }, list: [1e21, 'x', [true]], '10': 'ten' },
    }
    await transaction(scopeToTenant(scope, tenantId), (tx) => audit(tx, entry))
  }

  /** Tampers with the log, verifies it, and rolls everything back. */
  async function tampering(work: () => Promise<void>): Promise<void> {
    const undo = new Error('the end of the tampering')
    const done = transaction(app.platform, async (tx) => {
      scope = tx
      await work()
      throw undo
    })
    const error = await done.catch((error: unknown) => error)
    scope = app.platform
    if (error !== undo) throw error
    assert.equal((await verify()).ok, true)
  }

  /** The position of an entry of `write`. None of its columns has the values that the tests write. */
  async function middle(): Promise<number> {
    const { seq } = await one(
      scope,
      sql<{ seq: number }>`select seq from audit_log where action = 'thing.change' order by seq offset 8 limit 1`,
    )
    return seq
  }

  test('an unsealed entry is counted, and a change of it is found', async () => {
    await write('waiting.change')
    assert.deepEqual([(await verify()).ok, (await verify()).unsealed], [true, 1])
    await tampering(async () => {
      await change(sql`update audit_log set actor_label = 'somebody else' where action = 'waiting.change'`)
      assert.deepEqual(verdictOf(await verify()), [false, null, 'ENTRY_CHANGED'])
      await seal()
      assert.equal((await verify()).reason, 'ENTRY_CHANGED')
    })
    await seal()
  })

  const other = '0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57'
  const columns: Record<string, Sql> = {
    id: sql`${other}`,
    at: sql`at + interval '1 microsecond'`,
    tenant_id: sql`null`,
    actor_type: sql`'ADMIN'`,
    actor_id: sql`${other}`,
    actor_label: sql`'somebody else'`,
    action: sql`'thing.delete'`,
    target_type: sql`'other'`,
    target_id: sql`null`,
    outcome: sql`'DENIED'`,
    changes: sql`changes || '{"z": 2}'`,
    ip: sql`'203.0.113.9'`,
    request_id: sql`'another-request'`,
    salt: sql`decode('00', 'hex')`,
    personal_digest: sql`digest`,
    digest: sql`personal_digest`,
    chain_hash: sql`digest`,
    redacted_at: sql`at`,
    redaction_mac: sql`digest`,
  }

  test('a change of any column of an entry is found, with its position', async () => {
    const { rows } = await database.handle.execute(
      sql<{ name: string }>`select column_name as name from information_schema.columns where table_name = 'audit_log'`,
    )
    assert.deepEqual(rows.map(({ name }) => name).sort(), [...Object.keys(columns), 'seq'].sort())
    const seq = await middle()
    for (const [column, value] of Object.entries(columns)) {
      await tampering(async () => {
        assert.equal(await change(sql`update audit_log set ${sql.raw(column)} = ${value} where seq = ${seq}`), 1)
        const { ok, firstBadSeq } = await verify()
        assert.deepEqual([ok, firstBadSeq], [false, seq], column)
      })
    }
  })

  test('a removed entry is found: in the middle, the oldest and the newest', async () => {
    const { head } = await verify()
    const newest = head?.seq ?? 0
    for (const [seq, reason] of [
      [await middle(), 'ENTRY_MISSING'],
      [1, 'ENTRY_MISSING'],
      [newest, 'NEWEST_MISSING'],
    ] as const) {
      await tampering(async () => {
        await change(sql`delete from audit_log where seq = ${seq}`)
        assert.deepEqual(verdictOf(await verify()), [false, seq, reason])
      })
    }
    await tampering(async () => {
      await change(sql`delete from audit_log where seq > ${newest - 3}`)
      assert.deepEqual(verdictOf(await verify()), [false, newest - 2, 'NEWEST_MISSING'])
    })
  })

  test('two swapped entries are found, with and without their hashes', async () => {
    const seq = await middle()
    await tampering(async () => {
      const before = await many(
        scope,
        sql<{
          id: string
          hash: Buffer
        }>`select id, chain_hash as hash from audit_log where seq in (${seq}, ${seq + 1}) order by seq`,
      )
      const [first, second] = before
      // Via a free position, because positions are unique.
      for (const [id, place] of [
        [first?.id, -1],
        [second?.id, seq],
        [first?.id, seq + 1],
      ]) {
        await change(sql`update audit_log set seq = ${place} where id = ${id}`)
      }
      assert.deepEqual(verdictOf(await verify()), [false, seq, 'CHAIN_BROKEN'])
      await change(sql`update audit_log set chain_hash = ${first?.hash} where id = ${second?.id}`)
      await change(sql`update audit_log set chain_hash = ${second?.hash} where id = ${first?.id}`)
      assert.deepEqual(verdictOf(await verify()), [false, seq, 'CHAIN_BROKEN'])
    })
  })

  test('an inserted entry, a moved end and a restarted chain are found', async () => {
    const seq = await middle()
    const { head } = await verify()
    const newest = head?.seq ?? 0
    await tampering(async () => {
      await change(sql`insert into audit_log (id, at, actor_type, actor_label, action, target_type, outcome, digest, seq, chain_hash)
        select ${newId(app.clock.now())}, at, actor_type, actor_label, action, target_type, outcome, digest, ${newest + 1}, chain_hash
        from audit_log where seq = ${newest}`)
      assert.deepEqual(verdictOf(await verify()), [false, newest + 1, 'ENTRY_ADDED'])
    })
    await tampering(async () => {
      // As if all entries up to the middle had been deleted by age.
      await change(
        sql`update audit_chain_ends e set seq = a.seq, hash = a.chain_hash from audit_log a where a.seq = ${seq} and e.name = 'BASE'`,
      )
      assert.deepEqual(verdictOf(await verify()), [false, null, 'BASE_CHANGED'])
    })
    await tampering(async () => {
      await change(sql`delete from audit_log where seq > ${seq}`)
      await change(
        sql`update audit_chain_ends e set seq = a.seq, hash = a.chain_hash from audit_log a where a.seq = ${seq} and e.name = 'HEAD'`,
      )
      assert.deepEqual(verdictOf(await verify()), [false, null, 'HEAD_CHANGED'])
      await write()
      await assert.rejects(seal(), /head of the audit log/)
    })
    await tampering(async () => {
      // The whole log, sealed again without one entry: consistent in itself, but different from the checkpoint.
      await change(sql`delete from audit_chain_ends`)
      await change(sql`update audit_log set seq = null, chain_hash = null`)
      await change(sql`delete from audit_log where id = (select id from audit_log limit 1)`)
      await chain().initialize(scope)
      await write()
      await seal()
      assert.equal((await verify()).ok, true)
      assert.deepEqual(verdictOf(await verify({ checkpoint: head ?? { seq: 0, hash: '' } })), [
        false,
        newest,
        'HISTORY_REPLACED',
      ])
    })
    assert.equal((await verify({ checkpoint: head ?? { seq: 0, hash: '' } })).ok, true)
  })

  test('a log without its own key can be neither verified nor continued', async () => {
    const { ok, reason } = await verify({ key: Buffer.alloc(32, 9) })
    assert.deepEqual([ok, reason], [false, 'BASE_CHANGED'])
  })

  test('personal data of an erased tenant is gone, and the log still verifies', async () => {
    const erased = await app.tenant()
    const user = await app.user(await app.apiKey(erased))
    await seal()
    await write('before.erasure')
    const now = app.clock.now()
    const redact = () => transaction(scope, (tx) => chain().redactTenant(tx, erased.id, now))
    const count = await redact()
    assert.ok(count >= 3)
    assert.equal((await verify()).reason, 'REDACTION_FORGED', 'the tenant is not erased yet')
    await change(sql`update tenants set erased_at = ${now} where id = ${erased.id}`)
    assert.deepEqual([(await verify()).ok, (await verify()).redacted], [true, count])
    const rows = await many(
      scope,
      sql<{ row: string }>`select to_jsonb(a)::text as row from audit_log a where tenant_id = ${erased.id}`,
    )
    assert.equal(rows.length, count)
    for (const { row } of rows) assert.ok(!row.includes(user.email) && !row.includes('127.0.0.1'))
    assert.equal(await redact(), 0)
  })

  test('nobody can forge a redaction with access to the database alone', async () => {
    const seq = await middle()
    await tampering(async () => {
      await change(sql`update tenants set erased_at = ${app.clock.now()} where id = ${tenantId}`)
      await change(sql`update audit_log set actor_label = '[erased]', ip = null, request_id = null, changes = null, salt = null,
        redacted_at = at, redaction_mac = (select redaction_mac from audit_log where redaction_mac is not null limit 1) where seq = ${seq}`)
      assert.deepEqual(verdictOf(await verify()), [false, seq, 'REDACTION_FORGED'])
      await change(sql`update tenants set erased_at = null where id = ${tenantId}`)
    })
    const { seq: redacted } = await one(
      scope,
      sql<{ seq: number }>`select min(seq) as seq from audit_log where redacted_at is not null`,
    )
    for (const assignment of [sql`actor_label = 'somebody'`, sql`ip = '203.0.113.9'`, sql`action = 'thing.delete'`]) {
      await tampering(async () => {
        await change(sql`update audit_log set ${assignment} where seq = ${redacted}`)
        assert.equal((await verify()).firstBadSeq, redacted)
      })
    }
  })

  test('entries of twenty parallel writers, sealed by two nodes, form one chain that verifies', async () => {
    let isWriting = true
    const sealer = async () => {
      while (isWriting) await seal()
    }
    const sealers = [sealer(), sealer()]
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        for (let count = 0; count < 50; count++) await write()
      }),
    )
    isWriting = false
    await Promise.all(sealers)
    await seal()
    const result = await verify()
    assert.deepEqual(verdictOf(result), [true, null, null])
    assert.deepEqual([result.checked, result.unsealed, result.head?.seq], [result.head?.seq, 0, result.checked])
    assert.ok(result.checked >= 1000)
    const { count } = await one(scope, sql<{ count: number }>`select count(*)::int as count from audit_log`)
    assert.equal(count, result.checked)
  })

  test('a long log is verified in parts', async () => {
    const { checked } = await verify()
    let part = await verify({ entriesMax: 400 })
    let total = part.checked
    while (part.nextSeq !== null) {
      assert.ok(part.ok)
      part = await verify({ entriesMax: 400, fromSeq: part.nextSeq })
      total += part.checked
    }
    assert.equal(total, checked)
    await tampering(async () => {
      await change(sql`update audit_log set action = 'x' where seq = 700`)
      assert.ok((await verify({ entriesMax: 500 })).ok)
      assert.equal((await verify({ entriesMax: 500, fromSeq: 501 })).firstBadSeq, 700)
    })
  })

  test('entries are deleted after the retention time, and the rest still verifies', async () => {
    await seal()
    const { head } = await verify()
    app.clock.advance({ seconds: 10 * 86_400 })
    await write('young.change')
    await seal()
    assert.equal(await chain(11).deleteOld(scope), 0)
    assert.equal(await chain(9).deleteOld(scope), head?.seq)
    const result = await verify()
    assert.deepEqual([result.ok, result.checked, result.head?.seq], [true, 1, (head?.seq ?? 0) + 1])
    await tampering(async () => {
      await change(sql`insert into audit_log (id, at, actor_type, actor_label, action, target_type, outcome, seq)
        values (${newId(app.clock.now())}, ${app.clock.now()}, 'ADMIN', 'x', 'x', 'x', 'ALLOWED', 5)`)
      assert.deepEqual(verdictOf(await verify()), [false, 5, 'ENTRY_ADDED'])
    })
  })

  test('a changed entry with an old date is kept as evidence and not deleted', async () => {
    await write()
    await seal()
    const { checked } = await verify()
    await tampering(async () => {
      await change(sql`update audit_log set at = at - interval '400 days'`)
      await assert.rejects(chain().deleteOld(scope), /Old audit entries are kept/)
      const { count } = await one(scope, sql<{ count: number }>`select count(*)::int as count from audit_log`)
      assert.equal(count, checked)
    })
  })

  test('a log verifies while its old entries are being deleted', async () => {
    for (let count = 0; count < 600; count++) await write()
    await seal()
    app.clock.advance({ seconds: 400 * 86_400 })
    await write()
    await seal()
    const [result] = await Promise.all([verify(), chain().deleteOld(scope)])
    assert.equal(result.ok, true)
    assert.equal((await verify()).checked, 1)
  })

  test('entries that are older than the chain are included when it starts', async () => {
    await change(sql`delete from audit_chain_ends`)
    await change(
      sql`update audit_log set salt = null, personal_digest = null, digest = null, seq = null, chain_hash = null`,
    )
    await Promise.all([chain().initialize(scope), chain().initialize(scope)])
    await seal()
    const { ok, checked } = await verify()
    assert.deepEqual([ok, checked], [true, 1])
    await app.app.housekeep()
    assert.equal((await verify()).ok, true)
  })
})
