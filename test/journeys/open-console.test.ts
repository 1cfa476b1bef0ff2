import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { freePort } from '../harness/free-port.ts'
import { startService, temporaryFolder } from '../harness/service.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const skip = process.env['ATRIUM_TEST_DATABASE'] === 'postgres' && 'the command is the same on either database'

/** `npm run atrium -- open` with these settings. */
function open(environment: Record<string, string>, ...args: string[]) {
  const command = ['scripts/node24.js', 'src/atrium.ts', 'open', ...args]
  const env = { PATH: process.env['PATH'], ...environment }
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, command, { cwd: root, env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    )
  })
}

test('whoever has the data folder gets a link that signs a browser in once; the start prints none without a terminal', {
  skip,
}, async (t) => {
  const folder = await temporaryFolder()
  const service = await startService({ DATA_DIR: folder })
  t.after(() => service.stop('SIGKILL'))
  assert.match(service.output(), /^ {2}console {8}npm run atrium -- open$/m)

  const { code, stdout, stderr } = await open({ DATA_DIR: folder })
  assert.deepEqual([code, stderr], [0, ''])
  const [link = '', term = ''] = stdout.split('\n')
  assert.ok(link.startsWith(`${service.base}/console#link=`), link)
  assert.match(term, /^Works once, until /)

  const page = { 'sec-fetch-site': 'same-origin', 'x-atrium-door': '1', 'content-type': 'application/json' }
  const body = JSON.stringify({ link: new URL(link).hash.slice('#link='.length) })
  const signIn = () => fetch(`${service.base}/console/session`, { method: 'POST', headers: page, body })
  const first = await signIn()
  assert.equal(first.status, 201)
  const cookie = first.headers.get('set-cookie')?.split(';')[0] ?? ''
  const ask = (path: string) => fetch(service.base + path, { headers: { ...page, cookie } })
  assert.equal((await ask('/console/api/admin/tenants')).status, 200)
  assert.equal((await ask('/admin/tenants')).status, 401, 'no cookie counts at a path of the API')
  assert.equal((await signIn()).status, 401)

  // The files are asked for at once only where they are needed before anybody types a key.
  const pageFor = async (headers: Record<string, string>) =>
    (await fetch(`${service.base}/console`, { headers })).text()
  assert.doesNotMatch(await pageFor({}), /data-session|assets\/console-/)
  assert.match(await pageFor({ cookie }), /<html data-session.+"modulepreload"[^>]*\/console\/assets\/console-/s)

  const wrongKey = await open({ DATA_DIR: folder, ADMIN_KEY: 'atradmin_Vb2-kQ9xT4mZ7_rLhD8sWnCe' })
  assert.deepEqual([wrongKey.code, wrongKey.stdout], [1, ''])
  assert.match(wrongKey.stderr, /has another admin key/)
  const nobody = await open({ DATA_DIR: folder }, '--url', `http://127.0.0.1:${await freePort()}`)
  assert.deepEqual([nobody.code, nobody.stdout], [1, ''])
  assert.match(nobody.stderr, /^No service answers at .*`npm start`/)
})
