import type { Program } from '../program.ts'
import { ask } from './ask.ts'
import { password, type Seeded, userEmail } from './seed.ts'
import { makeApiKey, makeTenant } from './tenants.ts'

/** `path` is the URL path of its transcript. */
export type Meeting = { id: string; path: string; headers: Record<string, string> }
export type SpokenEntry = { speaker: string; text: string; timestamp: string }

/** The headers of the first user of a seeded database. */
export async function loginOwner(program: Program, { apiKey }: Seeded): Promise<Record<string, string>> {
  const body = { email: userEmail(0), password }
  const login = { path: '/vault/v1/auth/login', headers: { 'x-api-key': apiKey }, body }
  const { accessToken } = (await ask(program, login)) as { accessToken: string }
  return { authorization: `Bearer ${accessToken}` }
}

/** The headers of a user of each of so many new tenants. */
export async function loginAtNewTenants(program: Program, count: number): Promise<Record<string, string>[]> {
  const logins: Record<string, string>[] = []
  for (let n = 0; n < count; n++) {
    const tenantId = await makeTenant(program, `bench-tenant-${n}`)
    const headers = { 'x-api-key': await makeApiKey(program, tenantId, ['vault-vpn', 'assistant-ai']) }
    const body = { email: 'ada@bench.example', password }
    const registered = await ask(program, { path: '/vault/v1/auth/register', headers, body })
    logins.push({ authorization: `Bearer ${(registered as { accessToken: string }).accessToken}` })
  }
  return logins
}

export async function openMeeting(program: Program, headers: Record<string, string>): Promise<Meeting> {
  const made = { path: '/assistant/v1/meetings', headers, body: { title: 'Weekly planning' } }
  const { id } = (await ask(program, made)) as { id: string }
  return { id, headers, path: `/assistant/v1/meetings/${id}/transcript` }
}

const speakers = ['Ada', 'Grace', 'Linus', 'Barbara', 'Edsger', 'Margaret']
const subjects = ['the budget', 'our release', 'the new office', 'their contract', 'the harbour bridge', 'the survey']
const verbs = ['needs', 'delays', 'replaces', 'explains', 'pays for', 'depends on']
const objects = ['two more weeks', 'a better plan', 'what customers asked for', 'the old database', 'a second supplier']
const ends = ['before the summer', 'as far as I can see', 'and nobody has told them', 'so we should decide today']

/** `count` different entries of about 16 words. Each call returns the same ones. */
export function entries(count: number): SpokenEntry[] {
  const at = (list: string[], n: number) => list[n % list.length] as string
  return Array.from({ length: count }, (_, n) => ({
    speaker: at(speakers, n * 7 + (n >> 3)),
    text: `I think point ${n + 1} is that ${at(subjects, n)} ${at(verbs, n >> 1)} ${at(objects, n * 3)} ${at(ends, n >> 2)}.`,
    timestamp: new Date(n * 7000).toISOString().slice(11, 19),
  }))
}
