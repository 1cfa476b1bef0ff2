import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { ask, countStatuses, load } from '../harness/client.ts'
import { createMigratedDatabase } from '../harness/database.ts'
import { type Service, startService, temporaryFolder } from '../harness/service.ts'

const isServer = process.env['ATRIUM_TEST_DATABASE'] === 'postgres'
const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox'

async function installation() {
  const folder = await temporaryFolder()
  const database: Record<string, string> = isServer ? { DATABASE_URL: await createMigratedDatabase() } : {}
  const environment = { DATA_DIR: folder, RATE_LIMIT_MAX: '1000000', ...database }
  const adminKey = () => readFileSync(join(folder, 'admin-key'), 'utf8').trim()
  const counted = async ({ base }: Service) => {
    const answer = await fetch(`${base}/admin/analytics/overview`, { headers: { 'x-admin-key': adminKey() } })
    const { overview } = (await answer.json()) as { overview: { totals: { views: number; raw: number } } }
    return overview.totals.raw
  }
  return { environment, counted }
}

/** Each reader is another visitor. */
async function read({ base }: Service, from: number, count: number): Promise<void> {
  const reads = Array.from({ length: count }, async (_, index) => {
    const headers = { 'user-agent': `${browser}/${from + index}` }
    const answer = await fetch(`${base}/products/vault-vpn`, { headers })
    assert.equal(answer.status, 200)
    await answer.arrayBuffer()
  })
  await Promise.all(reads)
}

test('neither a clean stop amid readers nor kill -9 loses a view that was counted, nor one that was read a while before', {
  timeout: 120_000,
}, async (t) => {
  const { environment, counted } = await installation()
  let service = await startService(environment)
  t.after(() => service.stop('SIGKILL'))
  const url = `${service.base}/products/vault-vpn`
  const { headers } = await ask({ url })
  let answered = 0
  const readers = load(50, async (reader) => {
    const answer = await ask({
      url,
      headers: {
        'user-agent': `${browser}/${reader}`,
        ...(reader % 2 ? { 'if-none-match': String(headers['etag']) } : {}),
      },
    })
    answered += 1
    return answer
  })
  while (answered < 300) await delay(10)
  assert.equal(await service.stop('SIGTERM'), 0, service.output())
  const { 200: whole = 0, 304: unchanged = 0 } = countStatuses(await readers.stop())
  assert.ok(whole > 0 && unchanged > 0, `${whole} and ${unchanged}`)
  service = await startService(environment)
  const before = 1 + whole + unchanged
  assert.equal(await counted(service), before, 'every view that anybody was answered')

  await read(service, 1000, 200)
  // Written by itself within a moment: nothing is asked to flush.
  while ((await counted(service)) < before + 200) await delay(50)
  await read(service, 2000, 100)
  await service.stop('SIGKILL')
  service = await startService(environment)
  const left = await counted(service)
  assert.ok(left >= before + 200 && left <= before + 300, `${left} of ${before} and 300`)
})
