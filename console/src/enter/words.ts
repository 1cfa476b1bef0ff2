import { catalog } from '../words/catalog.ts'

export const words = catalog({
  linkRefused: 'This link was used before or has expired.',
  keyMissing: 'Enter an admin key.',
  keyRefused: 'This key is unknown, revoked or expired.',
  noAnswer: 'The service does not answer. Try again.',
  insecureTransport:
    'Keys are not sent over plain HTTP. Use https (a proxy with TLS, and TRUSTED_PROXIES), an SSH tunnel to this machine, or set BROWSER_INSECURE=true for a network that you trust.',
  signInFailed: (code: string) => `Signing in failed (${code}).`,
  tooManyAttempts: (seconds: number) => `Too many attempts. Try again in ${seconds} seconds.`,
})
