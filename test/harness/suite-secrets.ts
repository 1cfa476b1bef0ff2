import type { Route } from '../../src/http/route.ts'
import { type Secret, secretIndex, secretLengthMin } from './secret-index.ts'

// Every secret that the suite is given or sends, and every place where one was seen that had no business there.

const index = secretIndex()
const leaks = new Map<string, Secret>()
const published = new Set<string>()
/** What tests send as names and labels. The same text as a password is one of the texts that are tried everywhere. */
const sentOpenly = new Set<string>()
const outputs: { name: string; output: () => string }[] = []

/** Members of answers that hand a secret out. What is public by its nature is none. */
const issuing = /(?:^key|Key|[tT]oken|[sS]ecret)$/
// A tenant's `apiKey` is a masked hint.
const publicNames = new Set(['publicKey', 'idempotencyKey', 'apiKey'])
const sentNames = /password$/i
/** Operations whose `key` names a thing. */
const namingByKey = /(?:Block|Blocks|Bundle|Tasks?)(?:V1|Platform)?$/
const configLine = /^(?:PrivateKey|PresharedKey) = (\S{44})$/gm

/**
 * Where a secret is shown again by contract: the member of the answer, and the routes. Everything else shows it once.
 * A repeat of an idempotent request is the same answer again, and allowed of itself.
 */
const shownAgain: { member: string; routes: RegExp; why: string }[] = [
  { member: 'key', routes: /License/, why: 'administrators read license keys again' },
  { member: 'accessToken', routes: /(?:Register|Login|Refresh)$/, why: 'one second and session give one token' },
  { member: 'refreshToken', routes: /Refresh$/, why: 'a lost answer is given again for 30 s' },
  { member: 'config', routes: /Device/, why: 'a device downloads its configuration again' },
  { member: '', routes: /^getDeviceConfig$/, why: 'the same as a file' },
  { member: 'accessToken', routes: /^getIntegrationToken$/, why: 'the broker gives out the token of a provider' },
  { member: 'presharedKey', routes: /^listNodePeers$/, why: 'the node is the other side that has to know it' },
]

/** Known by their form, whoever made them; for texts of processes whose requests nobody recorded. */
const forms =
  /\b(?:atr(?:r|v|p|adm|cal|stop|inv|ses|link)?_[0-9A-Za-z]{36,}|atradmin_[\w-]{20,}|atr(?:node|enroll)_\w{30,}|eyJ[\w-]+\.[\w-]+\.[\w-]+|ATR(?:-[0-9A-Z]{5}){5})|(?:PrivateKey|PresharedKey) = \S+|\b[0-9a-f]{64}\b/g

type Exchange = {
  route: Route | undefined
  request: { headers: Record<string, string>; body: unknown }
  reply: { status: number; headers: Record<string, unknown>; body: unknown }
}

/** Takes note of what one request sent and was given, and of what its answer told that it should not have. */
export function watchExchange({ route, request, reply }: Exchange): void {
  const place = route === undefined ? 'an address without a route' : `${route.method} ${route.path}`
  const isReplay = reply.headers['idempotent-replayed'] === 'true'
  for (const { member, text } of listLeaves(reply.body)) {
    for (const secret of index.find(text)) {
      const isAgain = shownAgain.some((rule) => rule.member === member && rule.routes.test(route?.name ?? ''))
      if (!isAgain && !(isReplay && secret.issuedBy === place))
        report(secret, `the answer of ${place}, in ${member || 'its text'}`)
    }
  }
  for (const [name, value] of Object.entries(reply.headers)) {
    const isOfNew = name === 'location' && route?.name === 'createLicense'
    for (const secret of index.find(String(value)))
      if (!isOfNew) report(secret, `the answer of ${place}, in its header ${name}`)
  }
  const isName = ({ member }: Leaf) => member === 'key' && namingByKey.test(route?.name ?? '')
  if (reply.status < 400) for (const leaf of listLeaves(reply.body)) if (!isName(leaf)) noteIssued(leaf, place)
  for (const [text] of String(reply.headers['set-cookie'] ?? '').matchAll(/atrses_\w+/g))
    index.add({ text, what: 'a session cookie', issuedBy: place })
  noteSent(request.body, place)
}

type Leaf = { member: string; text: string }

function listLeaves(value: unknown, member = ''): Leaf[] {
  if (typeof value === 'string') return [{ member, text: value }]
  if (Array.isArray(value)) return value.flatMap((entry) => listLeaves(entry, member))
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return []
  return Object.entries(value).flatMap(([name, entry]) => listLeaves(entry, name))
}

function noteIssued({ member, text }: Leaf, issuedBy: string): void {
  if (issuing.test(member) && !publicNames.has(member)) index.add({ text, what: member, issuedBy })
  for (const [, token = ''] of text.matchAll(/#link=(\w+)/g))
    index.add({ text: token, what: 'a sign-in link', issuedBy })
  for (const [, key = ''] of text.matchAll(configLine)) index.add({ text: key, what: 'a key of a device', issuedBy })
}

function noteSent(body: unknown, issuedBy: string): void {
  const leaves = listLeaves(body)
  for (const { member, text } of leaves) {
    if (text.length >= secretLengthMin && !sentNames.test(member) && !issuing.test(member)) sentOpenly.add(text.trim())
  }
  for (const { member, text } of leaves.filter((leaf) => sentNames.test(leaf.member))) {
    // A test of bad passwords may take one from the e-mail address, which is no secret.
    const isElsewhere = leaves.some(
      (leaf) => !sentNames.test(leaf.member) && leaf.text.toLowerCase().includes(text.toLowerCase()),
    )
    if (!isElsewhere && isTelling(text)) index.add({ text, what: member, issuedBy })
  }
}

/** Not a few characters over and over: such texts stand in tests as names, too. */
function isTelling(text: string): boolean {
  return text.length >= secretLengthMin && new Set(text).size > 5
}

/** What everybody may read, such as the examples of the API reference, is no secret wherever it is seen. */
export function notePublic(document: object): void {
  for (const { text } of listLeaves(document)) {
    published.add(text)
    for (const [, key = ''] of text.matchAll(configLine)) published.add(key)
  }
}

export function noteSecret(secret: Secret): void {
  index.add(secret)
}

/** A line that a log has written in this process. */
export function watchLog(line: string): void {
  for (const secret of index.find(line)) {
    const { msg, method = '', route = '' } = JSON.parse(line)
    report(secret, `the log line "${msg}" ${method} ${route}`)
  }
}

/** All that another process prints, read at the end of the suite. */
export function watchOutput(name: string, output: () => string): void {
  outputs.push({ name, output })
}

/** One column of one row. */
export function watchColumn(place: string, value: unknown): void {
  for (const secret of index.find(typeof value === 'string' ? value : JSON.stringify(value))) report(secret, place)
}

/** How many secrets are known, and each leak once, by what was seen where. */
export function seenSecrets(): { known: number; leaks: string[] } {
  for (const { name, output } of outputs) {
    // The first start prints the admin key, once, for the person who started it.
    const place = `the output of ${name}`
    const text = output().replace(/^ {2}admin key {6}\S+$/m, '')
    for (const [form] of text.matchAll(forms)) report({ text: form, what: 'by its form', issuedBy: 'a process' }, place)
    for (const secret of index.find(text)) report(secret, place)
  }
  const told = [...leaks].filter(([, { text, what }]) => !(sentNames.test(what) && sentOpenly.has(text.trim())))
  return { known: index.size(), leaks: told.map(([leak]) => leak) }
}

function report(secret: Secret, place: string): void {
  const { text, what, issuedBy } = secret
  if (!published.has(text)) leaks.set(`${what} (${text.slice(0, 6)}..., from ${issuedBy}) was seen in ${place}`, secret)
}
