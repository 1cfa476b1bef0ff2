import { X509Certificate } from 'node:crypto'
import type { Clock } from '../../kernel/clock.ts'
import {
  certificateBytesMax,
  fetchDocument,
  type ProviderDocuments,
  providerUnavailable,
} from './provider-documents.ts'

export type SigningCertificates = {
  /** Null where there is no usable one. Refuses UNAVAILABLE where it cannot be fetched. The caller has checked the address. */
  find(url: string): Promise<X509Certificate | null>
}

/** A region has one or two certificates, and a tenant's topics are in few regions. */
const certificatesMax = 32
const freshMs = 86_400_000
/** An address without a certificate is requested again after this time. */
const absentMs = 60_000
/** Invented addresses at the right host must not cause a flood of requests to it. */
const fetchesPerMinuteMax = 120
const minuteMs = 60_000
const modulusBitsMin = 2048

type CacheEntry = { certificate: X509Certificate | null; untilMs: number }

/** Caches certificates by address for a day. Concurrent calls for one address cause one request. */
export function signingCertificates({
  fetchCertificate,
  clock,
}: Pick<ProviderDocuments, 'fetchCertificate'> & { clock: Clock }): SigningCertificates {
  const cache = new Map<string, CacheEntry>()
  const running = new Map<string, Promise<X509Certificate | null>>()
  const fetches = { sinceMs: 0, count: 0 }

  const isWithinBudget = (): boolean => {
    const nowMs = clock.now().getTime()
    if (Math.abs(nowMs - fetches.sinceMs) >= minuteMs) Object.assign(fetches, { sinceMs: nowMs, count: 0 })
    return ++fetches.count <= fetchesPerMinuteMax
  }
  const fetchOne = async (url: string): Promise<X509Certificate | null> => {
    const pem = await fetchDocument(fetchCertificate, { url, bytesMax: certificateBytesMax })
    const certificate = pem === null ? null : readCertificate(pem)
    cache.delete(url)
    // Evicts the oldest, and addresses without a certificate first: invented addresses must not evict real certificates.
    const oldest = [...cache].find(([, entry]) => entry.certificate === null) ?? [...cache][0]
    if (cache.size >= certificatesMax && oldest) cache.delete(oldest[0])
    cache.set(url, { certificate, untilMs: clock.now().getTime() + (certificate === null ? absentMs : freshMs) })
    return certificate
  }

  return {
    find: (url) => {
      const entry = cache.get(url)
      if (entry && clock.now().getTime() < entry.untilMs) return Promise.resolve(entry.certificate)
      const pending = running.get(url)
      if (pending) return pending
      if (!isWithinBudget()) return Promise.reject(providerUnavailable())
      const request = fetchOne(url).finally(() => running.delete(url))
      running.set(url, request)
      return request
    },
  }
}

function readCertificate(pem: string): X509Certificate | null {
  try {
    const certificate = new X509Certificate(pem)
    const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey
    const isStrong = asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= modulusBitsMin
    return isStrong ? certificate : null
  } catch {
    return null
  }
}
