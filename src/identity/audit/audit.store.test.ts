import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, testApp, testSecrets, unique } from '../../../test/harness/app.ts'
import { auditOfTenant } from '../../../test/harness/audit-log.ts'
import { eventBus } from '../../storage/events.ts'
import { transaction } from '../../storage/scope.ts'
import { tenantService } from '../tenants/tenant.service.ts'
import { tenantExists } from '../tenants/tenant.store.ts'
import { type Audit, auditRecorder } from './audit.store.ts'

describe('the audit log', () => {
  let app: TestApp
  let audit: Audit
  const unknownProducts = async () => []
  const forgetKeyCallers = () => undefined
  before(async () => {
    app = await testApp()
    audit = auditRecorder(app.clock, testSecrets.derive('audit-chain'))
  })

  test('an entry has actor, action, target, time, address and request', async () => {
    const { id } = await app.tenant()
    app.clock.advance({ ms: 1 })
    const caller = {
      actor: { type: 'USER', id, label: 'ana@example.com' },
      ip: '203.0.113.7',
      requestId: 'request-1',
    } as const
    const scope = { ...app.scopeOf(id), caller }
    await transaction(scope, (tx) =>
      audit(tx, {
        action: 'device.create',
        target: { type: 'device', id: 'd1' },
        changes: { name: 'laptop', publicKey: 'x' },
      }),
    )
    assert.deepEqual((await auditOfTenant(app.platform, id)).slice(1), [
      {
        at: app.clock.now(),
        tenantId: id,
        actorType: 'USER',
        actorLabel: 'ana@example.com',
        action: 'device.create',
        targetType: 'device',
        targetId: 'd1',
        outcome: 'ALLOWED',
        changes: { name: 'laptop', publicKey: '[withheld]' },
        ip: '203.0.113.7',
        requestId: 'request-1',
      },
    ])
  })

  test('a change must be audited inside its transaction; a refusal need not', async () => {
    const { id } = await app.tenant()
    const entry = { action: 'user.login', target: { type: 'user', id: null } }
    await assert.rejects(audit(app.scopeOf(id), entry), /outside its transaction/)
    await audit(app.scopeOf(id), { ...entry, outcome: 'DENIED' })
    assert.deepEqual((await auditOfTenant(app.platform, id)).map(({ action, outcome }) => [action, outcome]).sort(), [
      ['tenant.create', 'ALLOWED'],
      ['user.login', 'DENIED'],
    ])
  })

  test('a change that is rolled back leaves no entry', async () => {
    const { id } = await app.tenant()
    const events = eventBus()
    events.on('tenant.suspended', async () => {
      throw new Error('a device could not be suspended')
    })
    const tenants = tenantService({ clock: app.clock, events, audit, unknownProducts, forgetKeyCallers })
    await assert.rejects(tenants.update(app.platform, id, { status: 'SUSPENDED' }), /could not be suspended/)
    assert.equal((await tenants.get(app.platform, id)).status, 'ACTIVE')
    assert.equal((await auditOfTenant(app.platform, id)).length, 1)
  })

  test('a change that cannot be audited is rolled back', async () => {
    const { id, slug } = await app.tenant()
    const broken: Audit = async () => {
      throw new Error('no audit log')
    }
    const tenants = tenantService({
      clock: app.clock,
      events: eventBus(),
      audit: broken,
      unknownProducts,
      forgetKeyCallers,
    })
    await assert.rejects(
      tenants.create(app.platform, { name: 'Acme', slug: unique('t'), contactEmail: 'ops@acme.example' }),
      /no audit log/,
    )
    await assert.rejects(tenants.remove(app.platform, { id, confirm: slug }), /no audit log/)
    assert.ok(await tenantExists(app.platform, id))
  })
})
