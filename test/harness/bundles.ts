import assert from 'node:assert/strict'
import { type Reply, type TestApp, testApp } from './app.ts'
import { freshDatabase } from './database.ts'

export type BundleParts = Record<string, Record<string, unknown>[]>

export type BundleSite = {
  app: TestApp
  /** The parts of an export, as text: equal sites give equal bytes. */
  exported(): Promise<string>
  partsOf(): Promise<BundleParts>
  /** Asserts that the dry run says the same as what is then done, refusals too. */
  write(parts: BundleParts, mode?: 'merge' | 'mirror'): Promise<Reply>
  close(): Promise<void>
}

/** An installation of its own, since a bundle is about all there is. */
export async function bundleSite(): Promise<BundleSite> {
  const database = await freshDatabase()
  const app = await testApp({ database })
  const url = '/admin/cms/bundle'
  const send = (parts: BundleParts, query: string) =>
    app.call({
      method: 'POST',
      url: `${url}?${query}`,
      headers: app.admin,
      body: { format: 'atrium.bundle', version: 1, parts },
    })
  const partsOf = async () => {
    const { status, body } = await app.call({ url, headers: app.admin })
    assert.equal(status, 200)
    return body.parts
  }
  return {
    app,
    partsOf,
    exported: async () => JSON.stringify(await partsOf()),
    write: async (parts, mode = 'merge') => {
      const planned = await send(parts, `mode=${mode}`)
      const done = await send(parts, `mode=${mode}&dryRun=false`)
      assert.deepEqual(saidOf(done), saidOf(planned))
      return done
    },
    close: () => database.close(),
  }
}

function saidOf({ status, body }: Reply) {
  return status === 200 ? { status, changes: body.changes } : { status, detail: body.detail, errors: body.errors }
}

/** What was not kept, as `key action fields`. */
export function told({ body }: Reply): string[] {
  return body.changes
    .filter(({ action }: { action: string }) => action !== 'keep')
    .map(({ key, action, fields }: { key: string; action: string; fields: string[] }) =>
      [key, action, ...fields].join(' '),
    )
}
