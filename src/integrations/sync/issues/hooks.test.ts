import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { integrationsBase } from '../../../../test/harness/integrations.ts'
import { type TrackerCase, trackerCases } from '../../../../test/harness/tracker-cases.ts'
import { type TwoWayLab, twoWayLab } from '../../../../test/harness/two-way.ts'

const webhooks = '/assistant/v1/webhooks'
const hooksAt: Record<string, string> = { github: 'hooks', linear: 'webhooks', atlassian: 'webhooks' }
/** Part of the request that makes one. */
const making: Record<string, string> = { github: 'insecure_ssl', linear: 'webhookCreate', atlassian: 'jqlFilter' }

describe('the webhooks of trackers', () => {
  let lab: TwoWayLab
  before(async () => {
    lab = await twoWayLab()
    await lab.app.promote(lab.people.ada)
    await lab.login()
  })
  after(() => lab.close())

  const hooks = ({ provider }: TrackerCase) =>
    lab.emulators.control(provider, hooksAt[provider] ?? '') as { url: string }[]
  const connections = async (): Promise<{ id: string; integrationId: string | null }[]> =>
    (await lab.call('GET', `${webhooks}/connections?limit=100`)).body.connections

  for (const it of trackerCases)
    test(`${it.provider}: made once, at the first task, and gone after the disconnection`, async () => {
      const id = await lab.connect(it)
      assert.deepEqual(hooks(it), [])
      lab.emulators.faults.add({ provider: it.provider, body: making[it.provider] ?? '', lost: 'after' })
      const task = await lab.createIssue(it, id, { title: 'First' })
      await lab.createIssue(it, id, { title: 'Second' })
      lab.advance(120)
      await lab.settle()
      assert.equal(hooks(it).length, 1, 'also where the answer was lost')
      const own = (await connections()).filter(({ integrationId }) => integrationId === id)
      assert.equal(own.length, 1)

      // Jira's live for 30 days, and are renewed after 15. What a lost webhook told is found within the hour.
      lab.advance(20 * 86_400)
      await lab.login()
      await lab.app.app.housekeep('integrations.hooks.renew')
      await lab.settle()
      lab.advance(20 * 86_400)
      await lab.login()
      it.edit(lab, task.issue, { title: 'By webhook' })
      await lab.settle()
      assert.equal((await lab.task(task)).title, 'By webhook')
      lab.emulators.deliveries.hold(true)
      it.edit(lab, task.issue, { title: 'By question' })
      lab.advance(3600)
      await lab.login()
      await lab.app.app.housekeep('integrations.calendars.poll')
      await lab.settle()
      lab.emulators.deliveries.hold(false)
      assert.equal((await lab.task(task)).title, 'By question')

      assert.equal((await lab.call('DELETE', `${integrationsBase}/${id}`)).status, 204)
      await lab.settle()
      assert.deepEqual(hooks(it), [])
      assert.deepEqual(
        (await connections()).filter(({ integrationId }) => integrationId === id),
        [],
      )
      const { link, title } = await lab.task(task)
      assert.deepEqual([link, title], [null, 'By question'], 'the task stays')
    })

  test('an issue that a task becomes is no second task, also for a connection of the tenant that hears of it', async () => {
    const it = trackerCases.find(({ provider }) => provider === 'github') as TrackerCase
    const integration = await lab.connect(it)
    const body = { scheme: 'github', name: 'Ours', orgId: lab.orgId }
    const { connection, secret } = (await lab.call('POST', `${webhooks}/connections`, body)).body
    await lab.hookAtGithub({ url: `https://atrium.example.com${connection.path}`, secret })
    const before = (await lab.tasks()).length
    const task = await lab.createIssue(it, integration, { title: 'Only once' })
    it.edit(lab, task.issue, { title: 'Only one' })
    await lab.settle()
    assert.equal((await lab.tasks()).length, before + 1)
    assert.equal((await lab.task(task)).title, 'Only one')

    // An issue of somebody else becomes a task by the connection alone, which cannot become an issue again.
    lab.emulators.control('github', 'createIssue', { repository: 'example/website', title: 'Of somebody else' })
    await lab.settle()
    const theirs = (await lab.tasks()).filter(({ title }: { title: string }) => title === 'Of somebody else')
    assert.deepEqual(
      theirs.map(({ link }: { link: { sync: string } }) => link.sync),
      ['READ_ONLY'],
    )
    const asked = { action: 'create_issue', taskId: theirs[0].id, target: it.target }
    assert.equal((await lab.call('POST', `${integrationsBase}/${integration}/actions`, asked)).status, 409)
  })
})
