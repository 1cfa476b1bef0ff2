import S3rver from 's3rver'
import type { S3Settings } from '../../src/storage/blobs/s3.ts'
import { freePort } from './free-port.ts'
import { temporaryFolder } from './service.ts'

/** A store that speaks S3, on loopback, in this process, with one bucket. It knows one pair of credentials: its own. */
export async function startS3Server(): Promise<S3Settings & { stop(): Promise<void>; restart(): Promise<void> }> {
  const [port, directory] = [await freePort(), await temporaryFolder()]
  const bucket = 'atrium'
  const configureBuckets = [{ name: bucket, configs: [] }]
  const start = async () => {
    const server = new S3rver({ address: '127.0.0.1', port, silent: true, directory, configureBuckets })
    await server.run()
    return server
  }
  let server: S3rver | null = await start()
  const stop = async () => {
    await server?.close()
    server = null
  }
  return {
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    bucket,
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
    stop,
    restart: async () => {
      await stop()
      server = await start()
    },
  }
}
