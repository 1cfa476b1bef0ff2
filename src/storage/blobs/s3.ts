import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { type BlobStat, type Blobs, checkBlobKey, noBytes } from './blobs.ts'
import { draftsIn } from './drafts.ts'
import { storeUnavailable } from './fault.ts'

export type S3Settings = {
  endpoint: string
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  /** For tests; the others are as in production. */
  timeouts?: Partial<typeof timeoutsMs>
}

const prefix = 'media/'
/**
 * `question`: reading the state of a file or removing it, for which a transaction may wait. `silence`: without any byte; while
 * bytes flow, a large file may take as long as it needs.
 */
const timeoutsMs = { connection: 3000, question: 5000, silence: 20_000 }

/**
 * Blobs in a bucket of any store that speaks S3, addressed by path (`endpoint/bucket/key`).
 * @param draftFolder on a disk of this node: an upload is checked there before a byte of it leaves.
 */
export function s3Blobs(settings: S3Settings, draftFolder: string): Blobs & { close(): void } {
  const { bucket, accessKeyId, secretAccessKey, endpoint, region } = settings
  const Bucket = bucket
  const limits = { ...timeoutsMs, ...settings.timeouts }
  const withTimeLimit = () => ({ abortSignal: AbortSignal.timeout(limits.question) })
  const client = new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
    maxAttempts: 2,
    requestHandler: { connectionTimeout: limits.connection, socketTimeout: limits.silence },
    // Not all stores other than Amazon's know the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  const objectKey = (key: string): { Bucket: string; Key: string } => {
    checkBlobKey(key)
    return { Bucket, Key: prefix + key }
  }
  const blobStat = async (key: string): Promise<BlobStat | null> => {
    const head = await orNull('look for a file', client.send(new HeadObjectCommand(objectKey(key)), withTimeLimit()))
    return head === null ? null : { size: head.ContentLength ?? 0, modifiedAt: head.LastModified ?? new Date(0) }
  }
  return {
    place: { kind: 'bucket', bucket, endpoint: new URL(endpoint).host },
    // No blob has this key. The question needs no right that the others do not need.
    ping: () => blobStat('0'.repeat(64)),
    drafts: draftsIn(draftFolder),
    put: async ({ path, size, sha256 }, { contentType }) => {
      if ((await blobStat(sha256))?.size === size) return
      const Body = createReadStream(path)
      try {
        await client.send(
          new PutObjectCommand({
            ...objectKey(sha256),
            Body,
            ContentLength: size,
            ContentType: contentType,
            CacheControl: 'public, max-age=31536000, immutable',
          }),
        )
      } catch (error) {
        throw storeUnavailable('keep a file', error)
      } finally {
        Body.destroy()
      }
    },
    open: async (key, range) => {
      if (range !== undefined && range.end < range.start) return noBytes()
      const Range = range === undefined ? undefined : `bytes=${range.start}-${range.end}`
      const found = await orNull('read a file', client.send(new GetObjectCommand({ ...objectKey(key), Range })))
      return (found?.Body as Readable | undefined) ?? null
    },
    stat: blobStat,
    remove: async (key) => {
      await orNull('remove a file', client.send(new DeleteObjectCommand(objectKey(key)), withTimeLimit()))
    },
    list: () => listed(client, Bucket),
    close: () => client.destroy(),
  }
}

/** Ascending by key is what S3 promises of a list. */
async function* listed(client: S3Client, Bucket: string): AsyncGenerator<BlobStat & { key: string }> {
  let ContinuationToken: string | undefined
  do {
    const page = await client
      .send(new ListObjectsV2Command({ Bucket, Prefix: prefix, ContinuationToken }))
      .catch((error) => {
        throw storeUnavailable('list its files', error)
      })
    for (const { Key = '', Size = 0, LastModified = new Date(0) } of page.Contents ?? [])
      yield { key: Key.slice(prefix.length), size: Size, modifiedAt: LastModified }
    ContinuationToken = page.NextContinuationToken
  } while (ContinuationToken !== undefined)
}

async function orNull<T>(doing: string, asked: Promise<T>): Promise<T | null> {
  try {
    return await asked
  } catch (error) {
    const { $metadata, name } = error as { $metadata?: { httpStatusCode?: number }; name?: string }
    // A missing bucket is a 404 too, but not a missing file.
    if ($metadata?.httpStatusCode === 404 && name !== 'NoSuchBucket') return null
    throw storeUnavailable(doing, error)
  }
}
