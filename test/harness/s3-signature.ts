import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

type Account = { region: string; accessKeyId: string; secretAccessKey: string }
type Signed = { request: IncomingMessage; url: URL; body: Buffer; account: Account }

const pattern =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8}\/[^/]+\/s3\/aws4_request), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/

/** Whether a request is signed as AWS Signature Version 4 says, with this account's secret and over this very body. */
export function isSigned({ request, url, body, account }: Signed): boolean {
  const { headers, method = '' } = request
  const [, keyId, scope, names, signature] = pattern.exec(headers.authorization ?? '') ?? []
  if (scope === undefined || names === undefined || keyId !== account.accessKeyId) return false
  const bodyHash = String(headers['x-amz-content-sha256'])
  if (bodyHash !== 'UNSIGNED-PAYLOAD' && bodyHash !== sha256(body)) return false

  const query = [...url.searchParams].map(([name, value]) => `${encoded(name)}=${encoded(value)}`).sort()
  const signedHeaders = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`)
  const canonical = [method, url.pathname, query.join('&'), signedHeaders.join(''), names, bodyHash].join('\n')
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n')
  const key = scope.split('/').reduce((key, part) => hmac(key, part), Buffer.from(`AWS4${account.secretAccessKey}`))
  return hmac(key, toSign).toString('hex') === signature
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')
const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
