import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { type TestApp, type TestKey, type TestUser, testApp, unique } from '../../../test/harness/app.ts'
import { mailsTo } from '../../../test/harness/mail.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { renderLetter } from '../../mails/letter.rules.ts'
import { run, sql } from '../../storage/query.ts'
import { reducedName } from './invitation.rules.ts'

const daySeconds = 24 * 3600

describe('an invitation', () => {
  let app: TestApp
  let calls: ReturnType<typeof organizationCalls>
  let key: TestKey
  let owner: TestUser
  let orgId: string

  before(async () => {
    app = await testApp()
    calls = organizationCalls(app)
    key = await app.apiKey(await app.tenant())
  })
  beforeEach(async () => {
    owner = await calls.person(key)
    orgId = (await calls.create(owner)).id
  })

  /** Logs in again: the clock may have passed the end of the access token. */
  const again = async (user: TestUser): Promise<TestUser> => {
    const { email, password } = user
    const reply = await app.call({
      method: 'POST',
      url: '/vault/v1/auth/login',
      headers: { 'x-api-key': key.key },
      body: { email, password },
    })
    return { ...user, accessToken: reply.body.accessToken }
  }
  const invitationMails = async (email: string) =>
    (await mailsTo(app.platform, email)).filter(({ kind }) => kind === 'INVITATION')
  const listed = async (): Promise<{ id: string; status: string; mailStatus: string; role: string }[]> =>
    (await calls.call(owner, 'GET', `/orgs/${orgId}/invitations`)).body.invitations

  test('goes by mail to an address, whether it has an account or not, and shows its token to nobody else', async () => {
    const known = await calls.person(key)
    const replies = []
    for (const email of [known.email, `${unique('new')}@example.com`]) {
      const { status, body } = await calls.invite(owner, orgId, email)
      assert.equal(status, 201)
      const { id: _, email: sent, ...rest } = body.invitation
      assert.equal(sent, email)
      replies.push(rest)
      assert.ok(!JSON.stringify(body).includes(await calls.token(email)))
    }
    assert.deepEqual(replies[0], replies[1])
    assert.deepEqual(
      (await listed()).map(({ status, mailStatus }) => [status, mailStatus]),
      [
        ['pending', 'PENDING'],
        ['pending', 'PENDING'],
      ],
    )
  })

  test('makes a member of whoever has the token and the address, once', async () => {
    const guest = await app.user(key)
    await calls.invite(owner, orgId, guest.email, 'viewer')
    const token = await calls.token(guest.email)
    const other = await calls.person(key)
    const refused = await calls.accept(other, { token })
    assert.deepEqual([refused.status, refused.body.code], [409, 'STATE_CONFLICT'])
    const { status, body } = await calls.accept(guest, { token: ` ${token}\n` })
    assert.deepEqual([status, body.org.id, body.org.role, body.org.memberCount], [200, orgId, 'viewer', 2])
    const twice = await calls.accept(guest, { token })
    assert.deepEqual([twice.status, twice.body.errors[0].path], [400, '/body/token'])
    assert.equal((await listed())[0]?.status, 'accepted')
  })

  test('is accepted by its id only with a verified address, and only by the invited person', async () => {
    const [verified, unverified, other] = [await calls.person(key), await app.user(key), await calls.person(key)]
    const ids: Record<string, string> = {}
    for (const { email } of [verified, unverified])
      ids[email] = (await calls.invite(owner, orgId, email)).body.invitation.id
    const by = (user: TestUser) => ({ invitationId: ids[user.email] as string })
    const own = await calls.call(verified, 'GET', '/invitations')
    assert.deepEqual(
      own.body.invitations.map(({ id, orgName }: { id: string; orgName: string }) => [id, orgName]),
      [[ids[verified.email], 'Research']],
    )
    assert.deepEqual((await calls.call(unverified, 'GET', '/invitations')).body.invitations, [])
    assert.equal((await calls.accept(unverified, by(unverified))).body.code, 'INSUFFICIENT_ROLE')
    assert.equal((await calls.accept(other, by(verified))).status, 404)
    assert.equal((await calls.accept(verified, by(verified))).status, 200)
    assert.equal((await calls.accept(verified, by(verified))).body.code, 'STATE_CONFLICT')
  })

  test('that is sent again has another token, and the one before is worth nothing', async () => {
    const guest = await calls.person(key)
    const first = await calls.invite(owner, orgId, guest.email, 'viewer')
    const token = await calls.token(guest.email)
    const second = await calls.invite(owner, orgId, guest.email, 'admin')
    assert.equal(second.status, 200)
    assert.deepEqual([second.body.invitation.id, second.body.invitation.role], [first.body.invitation.id, 'admin'])
    assert.equal((await calls.accept(guest, { token })).body.errors[0].path, '/body/token')
    assert.deepEqual((await invitationMails(guest.email)).map(({ status }) => status).sort(), ['DISCARDED', 'PENDING'])
    const resent = await calls.call(owner, 'POST', `/orgs/${orgId}/invitations/${first.body.invitation.id}/resend`)
    assert.deepEqual([resent.status, resent.body.invitation.role], [200, 'admin'])
    assert.equal((await calls.accept(guest, { token: await calls.token(guest.email) })).body.org.role, 'admin')
  })

  test('ends after seven days, and can be sent again', async () => {
    const guest = await calls.person(key)
    const { body } = await calls.invite(owner, orgId, guest.email)
    const token = await calls.token(guest.email)
    app.clock.advance({ seconds: 7 * daySeconds })
    const [owner2, guest2] = [await again(owner), await again(guest)]
    owner = owner2
    assert.equal((await calls.accept(guest2, { token })).body.errors[0].path, '/body/token')
    assert.equal((await calls.accept(guest2, { invitationId: body.invitation.id })).body.code, 'STATE_CONFLICT')
    assert.equal((await listed())[0]?.status, 'expired')
    assert.deepEqual((await calls.call(owner, 'GET', `/orgs/${orgId}/invitations?status=pending`)).body.invitations, [])
    assert.equal((await calls.invite(owner, orgId, guest.email)).status, 200)
    assert.equal((await calls.accept(guest2, { token: await calls.token(guest.email) })).status, 200)
  })

  test('that is revoked or declined is of no more use', async () => {
    const guest = await calls.person(key)
    for (const end of ['revoke', 'decline']) {
      const { id } = (await calls.invite(owner, orgId, guest.email)).body.invitation
      const token = await calls.token(guest.email)
      const path = `/orgs/${orgId}/invitations/${id}`
      const ended =
        end === 'revoke'
          ? await calls.call(owner, 'DELETE', path)
          : await calls.call(guest, 'POST', '/invitations/decline', { body: { token } })
      assert.equal(ended.status, 204)
      assert.equal((await calls.accept(guest, { token })).body.errors[0].path, '/body/token')
      assert.equal((await calls.call(owner, 'POST', `${path}/resend`)).body.code, 'STATE_CONFLICT')
      assert.equal((await calls.call(owner, 'DELETE', path)).status, end === 'revoke' ? 204 : 409)
    }
    assert.ok((await invitationMails(guest.email)).every(({ status }) => status === 'DISCARDED'))
    assert.equal((await calls.get(guest, orgId)).status, 404)
  })

  test('is sent by admins, for no role above their own, and by nobody whose own address is unverified', async () => {
    const [admin, member] = [await calls.add(key, orgId, 'admin'), await calls.add(key, orgId, 'member')]
    const guest = `${unique('guest')}@example.com`
    assert.equal((await calls.invite(member, orgId, guest, 'viewer')).body.code, 'INSUFFICIENT_ROLE')
    for (const role of ['admin', 'owner'] as const)
      assert.equal((await calls.invite(admin, orgId, guest, role)).body.code, 'INSUFFICIENT_ROLE')
    assert.equal((await calls.invite(admin, orgId, guest, 'member')).status, 201)
    const newcomer = await app.user(key)
    const { org } = (await calls.call(newcomer, 'POST', '/orgs', { body: { name: 'New' } })).body
    assert.equal((await calls.invite(newcomer, org.id, guest)).body.code, 'STATE_CONFLICT')
    assert.equal((await calls.invite(owner, orgId, member.email)).body.code, 'STATE_CONFLICT')
  })

  test('to a role that an admin may not manage is changed by no admin', async () => {
    const admin = await calls.add(key, orgId, 'admin')
    const guest = await calls.person(key)
    const { id } = (await calls.invite(owner, orgId, guest.email, 'owner')).body.invitation
    const token = await calls.token(guest.email)
    assert.equal((await calls.invite(admin, orgId, guest.email, 'viewer')).body.code, 'INSUFFICIENT_ROLE')
    const path = `/orgs/${orgId}/invitations/${id}`
    assert.equal((await calls.call(admin, 'POST', `${path}/resend`)).body.code, 'INSUFFICIENT_ROLE')
    assert.equal((await calls.call(admin, 'DELETE', path)).body.code, 'INSUFFICIENT_ROLE')
    assert.equal((await calls.accept(guest, { token })).body.org.role, 'owner')
  })

  test('of somebody whose role gets lower stays only if the new role may send it', async () => {
    const heir = await calls.add(key, orgId, 'member')
    const guests = { owner: await calls.person(key), viewer: await calls.person(key) }
    for (const role of ['owner', 'viewer'] as const) await calls.invite(owner, orgId, guests[role].email, role)
    const tokens = { owner: await calls.token(guests.owner.email), viewer: await calls.token(guests.viewer.email) }
    const transfer = { body: { userId: heir.id } }
    assert.equal((await calls.call(owner, 'POST', `/orgs/${orgId}/transfer`, transfer)).status, 200)
    assert.equal((await calls.accept(guests.owner, { token: tokens.owner })).status, 400)
    assert.equal((await calls.accept(guests.viewer, { token: tokens.viewer })).status, 200)
  })

  test('of somebody who leaves is revoked', async () => {
    const admin = await calls.add(key, orgId, 'admin')
    const guest = await calls.person(key)
    await calls.invite(admin, orgId, guest.email)
    const token = await calls.token(guest.email)
    assert.equal((await calls.call(admin, 'DELETE', `/orgs/${orgId}/members/me`)).status, 204)
    assert.equal((await calls.accept(guest, { token })).status, 400)
    assert.deepEqual(
      (await invitationMails(guest.email)).map(({ status }) => status),
      ['DISCARDED'],
    )
  })

  test('of which twenty accept the token at once makes one member', async () => {
    const guest = await calls.person(key)
    await calls.invite(owner, orgId, guest.email)
    const token = await calls.token(guest.email)
    const replies = await Promise.all(Array.from({ length: 20 }, () => calls.accept(guest, { token })))
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, ...Array<number>(19).fill(400)])
    assert.equal((await calls.get(owner, orgId)).body.org.memberCount, 2)
  })

  test('takes a seat when it is accepted: of twenty who race for the last one, one gets it', async () => {
    const limited = await app.apiKey(await app.tenant({ limits: { maxOrgMembers: 2 } }))
    const host = await calls.person(limited)
    const org = await calls.create(host)
    const guests = await Promise.all(Array.from({ length: 20 }, () => calls.person(limited)))
    for (const { email } of guests) assert.equal((await calls.invite(host, org.id, email)).status, 201)
    const tokens = await Promise.all(guests.map(({ email }) => calls.token(email)))
    const replies = await Promise.all(guests.map((guest, at) => calls.accept(guest, { token: tokens[at] as string })))
    assert.equal(replies.filter(({ status }) => status === 200).length, 1)
    assert.equal(replies.filter(({ body }) => body.code === 'QUOTA_EXCEEDED').length, 19)
    assert.equal((await calls.get(host, org.id)).body.org.memberCount, 2)
    const pending = await calls.call(host, 'GET', `/orgs/${org.id}/invitations?status=pending`)
    assert.equal(pending.body.pagination.total, 19, 'who found no seat can try again')
  })

  test('is sent three times to one address, and no fourth time before the window is over', async () => {
    const email = `${unique('often')}@example.com`
    for (let sent = 0; sent < 3; sent++) await calls.invite(owner, orgId, email)
    const token = await calls.token(email)
    const { status, body } = await calls.invite(owner, orgId, email)
    assert.deepEqual([status, body.code], [429, 'RATE_LIMITED'])
    assert.equal(await calls.token(email), token, 'the last one is still good')
  })

  test('is sent a hundred times a day by an organization, and two hundred wait at most', async () => {
    const invite = () => calls.invite(owner, orgId, `${unique('many')}@example.com`)
    await invite()
    await run(app.platform, sql`update organizations set invited_count = 99 where id = ${orgId}`)
    const replies = await Promise.all(Array.from({ length: 5 }, invite))
    assert.equal(replies.filter(({ status }) => status === 201).length, 1)
    assert.equal(replies.filter(({ body }) => body.code === 'QUOTA_EXCEEDED').length, 4)
    app.clock.advance({ seconds: daySeconds })
    owner = await again(owner)
    await run(
      app.platform,
      sql`insert into organization_invitations (tenant_id, id, org_id, email, role, status, token_hash, mail_id, created_at, expires_at)
        select tenant_id, gen_random_uuid(), org_id, n || email, role, status, gen_random_uuid()::text::bytea, mail_id, created_at, expires_at
        from organization_invitations, generate_series(2, 99) n where org_id = ${orgId}`,
    )
    assert.deepEqual(
      (await Promise.all([invite(), invite(), invite()])).map(({ status }) => status).sort(),
      [201, 201, 403],
    )
    assert.match((await invite()).body.detail, /200 pending/)
  })
})

test('a mail of an invitation holds no word that a user wrote but the name, reduced to letters, digits and spaces', () => {
  const orgName = reducedName('Win <b>NOW</b>: http://evil.example/?a=1\r\nBcc: x@y.example 東京')
  assert.equal(orgName, 'Win b NOW b http evil example a 1 Bcc x y example 東京')
  const sender = {
    name: 'Acme',
    displayName: null,
    emailFromName: null,
    supportEmail: null,
    customDomain: null,
  }
  const letter = renderLetter({
    sender,
    publicUrl: 'https://atrium.example',
    kind: 'INVITATION',
    token: 'atrinv_token',
    expiresAt: new Date('2026-12-01T00:00:00Z'),
    invitation: { inviterEmail: 'ada@example.com', orgName },
  })
  assert.equal(letter.subject, `Invitation to ${orgName} at Acme`)
  assert.ok(letter.text.startsWith(`ada@example.com invites you to the organization ${orgName} at Acme.`))
  assert.ok(letter.text.includes('https://atrium.example/accept-invitation?token=atrinv_token'))
})
