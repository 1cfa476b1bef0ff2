import assert from 'node:assert/strict'
import { unique } from './app.ts'
import { ask } from './client.ts'

/** A meeting in a running service, and the token of its owner. */
export type FollowedMeeting = {
  id: string
  token: string
  /** Appends `count` entries in one request to a node. Returns the last `seq`. */
  append(base: string, count: number, text?: string): Promise<number>
}

/** Creates a tenant with a user and a meeting, through a running service. */
export async function followedMeeting({
  base,
  admin,
}: {
  base: string
  admin: Record<string, string>
}): Promise<FollowedMeeting> {
  const post = async (path: string, headers: Record<string, string>, body: unknown) => {
    const answer = await ask({ url: base + path, method: 'POST', headers, body })
    assert.equal(answer.status, 201, `${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const slug = unique('live')
  const contactEmail = `ops@${slug}.example.com`
  const limits = { requestsPerWindow: 1_000_000 }
  const { tenant } = await post('/admin/tenants', admin, { name: slug, slug, contactEmail, limits })
  const key = { name: 'app', products: ['assistant-ai'] }
  const { apiKey } = await post(`/admin/tenants/${tenant.id}/api-keys`, admin, key)
  const person = { email: `ada@${slug}.example.com`, password: 'plum-Kayak-73-otter' }
  const { accessToken: token } = await post('/v1/auth/register', { 'x-api-key': apiKey.key }, person)
  const owner = { authorization: `Bearer ${token}` }
  const { id } = await post('/assistant/v1/meetings', owner, { title: 'Weekly planning' })
  return {
    id,
    token,
    append: async (at, count, text = 'I will send the figures by Friday.') => {
      const entries = Array.from({ length: count }, () => ({ speaker: 'Ada', text, timestamp: '00:00:01' }))
      const url = `${at}/assistant/v1/meetings/${id}/transcript`
      const answer = await ask({ url, method: 'POST', headers: owner, body: { entries } })
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      return answer.body.lastSeq
    },
  }
}
