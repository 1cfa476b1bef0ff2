import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestClock } from './clock.ts'

export const googleClientId = 'app.apps.googleusercontent.com'

type Misbehaviour = (answer: ServerResponse) => void

export type FakeGoogle = {
  jwksUrl: string
  /** Requests for the keys so far. */
  requests(): number
  /** What is answered instead of the keys; null: the keys again. */
  misbehave(how: Misbehaviour | null): void
  /** From now on tokens are signed with a new key, and the old one is no longer listed. */
  rotate(): void
  /** An ID token as Google makes them; members of `claims` replace its own, undefined ones are left out. */
  idToken(claims?: Record<string, unknown>): string
  /** A token with this header and signature instead of the right ones. */
  forged(header: Record<string, unknown>, signature: (signed: string) => Buffer): string
  publicKeyPem(): string
}

export const misbehaviours = {
  hang: () => undefined,
  fail: (answer) => answer.writeHead(500).end('{}'),
  html: (answer) => answer.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>'),
  noKeys: (answer) => answer.writeHead(200).end('{"keys":[]}'),
  redirect: (answer) => answer.writeHead(302, { location: '/elsewhere' }).end(),
  cut: (answer) => {
    answer.writeHead(200, { 'content-length': '4000' }).write('{"keys":[')
    setImmediate(() => answer.destroy())
  },
  /** 50 MB, unless the reader goes away before. */
  flood: (answer) => {
    const mebibyte = Buffer.alloc(1024 * 1024, 0x20)
    answer.writeHead(200)
    const send = (left: number): void => {
      if (left === 0 || answer.destroyed) answer.end()
      else answer.write(mebibyte, () => send(left - 1))
    }
    send(50)
  },
} as const satisfies Record<string, Misbehaviour>

/** Google's side of a sign-in on 127.0.0.1: a key set over HTTP, and tokens by its keys. It keeps no process alive. */
export async function fakeGoogle(clock: TestClock): Promise<FakeGoogle> {
  let key = newKey()
  let requests = 0
  let misbehaviour: Misbehaviour | null = null
  const server = createServer((_, answer) => {
    requests++
    if (misbehaviour !== null) return misbehaviour(answer)
    answer.writeHead(200, {
      'content-type': 'application/json',
      'cache-control': 'public, max-age=3600, must-revalidate',
    })
    answer.end(
      JSON.stringify({ keys: [{ ...key.public.export({ format: 'jwk' }), kid: key.id, alg: 'RS256', use: 'sig' }] }),
    )
  })
  server.on('connection', (socket) => socket.unref())
  server.listen(0, '127.0.0.1').unref()
  await once(server, 'listening')
  const claimsOf = (claims: Record<string, unknown>) => {
    const seconds = Math.floor(clock.now().getTime() / 1000)
    const own = {
      iss: 'https://accounts.google.com',
      aud: googleClientId,
      sub: randomBytes(8).toString('hex'),
      email: `${randomBytes(6).toString('hex')}@gmail.example`,
      email_verified: true,
      iat: seconds,
      exp: seconds + 3600,
    }
    return { ...own, ...claims }
  }
  return {
    jwksUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/certs`,
    requests: () => requests,
    misbehave: (how) => {
      misbehaviour = how
    },
    rotate: () => {
      key = newKey()
    },
    idToken: (claims = {}) => signed({ alg: 'RS256', kid: key.id, typ: 'JWT' }, claimsOf(claims), key.private),
    forged: (header, signature) => {
      const text = `${encoded({ kid: key.id, typ: 'JWT', ...header })}.${encoded(claimsOf({}))}`
      return `${text}.${signature(text).toString('base64url')}`
    },
    publicKeyPem: () => String(key.public.export({ format: 'pem', type: 'spki' })),
  }
}

function newKey() {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { id: randomBytes(8).toString('hex'), public: publicKey, private: privateKey }
}

function signed(header: object, claims: object, key: KeyObject): string {
  const text = `${encoded(header)}.${encoded(claims)}`
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}
