import { isIP } from 'node:net'
import { integer, list, type Settings, url, word } from './readers.ts'

function isNetwork(entry: string): boolean {
  const [address = '', bits] = entry.split('/')
  const version = isIP(address)
  return version !== 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)))
}

function isOrigin(entry: string): boolean {
  return /^https?:\/\/[^\s/,]+$/.test(entry)
}

/** What browsers, pages and connections may do. */
export const webSettings = {
  publicUrl: [
    'PUBLIC_URL',
    url(['https:', 'http:']),
    'Address of your site. `/sitemap.xml` lists its pages, and mails of tenants without a `customDomain` link to its `/reset-password` and `/verify-email`. Reminders of due tasks and calendars link to its `/assistant/v1/`, which it must pass on to Atrium. Without it there is no sitemap, those mails contain only a code, and reminders have no link that ends them.',
  ],
  publicMaxAgeSeconds: [
    'PUBLIC_MAX_AGE_SECONDS',
    integer(0, 0, 86_400),
    'How long browsers and proxies may cache a public answer without asking. With 0 they ask each time, so a change is seen at once.',
  ],
  publicCacheMb: ['PUBLIC_CACHE_MB', integer(64, 1, 10_000), 'Memory for cached public answers, in MB.'],
  pageOrigins: [
    'CORS_ORIGINS',
    list([], 'origins such as https://app.example.com', isOrigin),
    'Origins whose pages may call from a browser. Without it all may, because a call needs a credential anyway. Public reads are always open to all.',
  ],
  browserInsecure: [
    'BROWSER_INSECURE',
    word('false', ['false', 'true']),
    'Whether administrators may sign in to the console over plain HTTP from other machines. Anybody who can read the network traffic then gets the key.',
  ],
  connectionsMax: [
    'CONNECTIONS_MAX',
    integer(12_000, 1, 1_000_000),
    'Connections that this process accepts, WebSockets included.',
  ],
  connectionsPerAddressMax: [
    'CONNECTIONS_PER_ADDRESS_MAX',
    integer(512, 1, 1_000_000),
    'Connections of one address that this process accepts. Proxies of `TRUSTED_PROXIES` are exempt.',
  ],
  socketsMax: ['SOCKETS_MAX', integer(10_000, 1, 1_000_000), 'WebSocket connections that this process accepts.'],
  socketsPerUserMax: [
    'SOCKETS_PER_USER_MAX',
    integer(20, 1, 1_000_000),
    'WebSocket connections of one user that this process accepts.',
  ],
  socketsPerTenantMax: [
    'SOCKETS_PER_TENANT_MAX',
    integer(500, 1, 1_000_000),
    'WebSocket connections of one tenant that this process accepts.',
  ],
  socketOrigins: [
    'SOCKET_ORIGINS',
    list([], 'origins such as https://app.example.com', isOrigin),
    'Origins whose pages may open WebSockets. Without it all may, because a WebSocket needs a token anyway.',
  ],
  trustedProxies: [
    'TRUSTED_PROXIES',
    list([], 'addresses or networks', isNetwork),
    'Proxies whose `X-Forwarded-For` header is trusted.',
  ],
} as const satisfies Settings
