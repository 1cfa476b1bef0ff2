import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, before, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { selfSignedCertificate } from '../../test/harness/certificate.ts'
import { type MailServer, startMailServer } from '../../test/harness/mail-server.ts'
import { Rejected, tenantTransport } from './smtp-transport.ts'

const day = 24 * 3600_000
const login = 'robot:p4ss-of-the-robot'
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const from = new Date(Date.now() - day)
const cert = selfSignedCertificate({
  privateKey,
  commonName: 'localhost',
  from,
  to: new Date(from.getTime() + 9 * day),
})
const tls = {
  key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  cert,
  login,
  allowInsecureAuth: false,
}
const trusted = getCACertificates('default')
let starttls: MailServer
let encrypted: MailServer
let plain: MailServer

before(async () => {
  starttls = await startMailServer({ ...tls, hideSTARTTLS: false })
  encrypted = await startMailServer({ ...tls, secure: true })
  plain = await startMailServer({ login, disabledCommands: ['STARTTLS'] })
})
after(async () => {
  setDefaultCACertificates(trusted)
  await Promise.all([starttls, encrypted, plain].map((server) => server.close()))
})

type Security = 'tls' | 'starttls' | 'none'
const transport = ({ port }: MailServer, security: Security, pass = 'p4ss-of-the-robot') =>
  tenantTransport({ host: 'localhost', port, security, login: { user: 'robot', pass } }, 'any')
const mail = (to: string) => ({ from: 'robot@example.com', to, subject: 'Notes', text: 'See you.' })

test('a mail is sent encrypted, or not at all', async () => {
  // Nobody trusts these certificates yet.
  await assert.rejects(transport(starttls, 'starttls').send(mail('a@example.com')), /self-signed/)
  await assert.rejects(transport(encrypted, 'tls').send(mail('a@example.com')), /self-signed/)
  // A server, or somebody before it, that does not offer STARTTLS.
  await assert.rejects(transport(plain, 'starttls').send(mail('a@example.com')), /STARTTLS/)
  assert.deepEqual(
    [starttls, encrypted, plain].flatMap(({ received }) => received),
    [],
  )
  setDefaultCACertificates([...trusted, cert])
  await transport(starttls, 'starttls').send(mail('b@example.com'))
  await transport(encrypted, 'tls').send(mail('c@example.com'))
  assert.deepEqual((await starttls.mailTo('b@example.com')).to, ['b@example.com'])
  assert.deepEqual((await encrypted.mailTo('c@example.com')).to, ['c@example.com'])
})

test('a wrong password rejects no mail for good, and a rejected one is no reason to try again', async () => {
  setDefaultCACertificates([...trusted, cert])
  const isNotForGood = (error: Error) => !(error instanceof Rejected)
  await assert.rejects(transport(starttls, 'starttls', 'wrong').send(mail('d@example.com')), isNotForGood)
  await assert.rejects(transport(starttls, 'starttls', 'wrong').verify(), isNotForGood)
  await transport(starttls, 'starttls').verify()
  starttls.refuse([550, '5.1.1 Nobody'])
  await assert.rejects(transport(starttls, 'starttls').send(mail('e@example.com')), Rejected)
})

test('a server on a private network is not connected to', async () => {
  const server = { host: 'localhost', port: plain.port, security: 'none' as const, login: null }
  await assert.rejects(tenantTransport(server, 'public').send(mail('f@example.com')))
  await assert.rejects(tenantTransport({ ...server, host: '127.0.0.1' }, 'public').send(mail('f@example.com')))
  assert.deepEqual(plain.received, [])
})
