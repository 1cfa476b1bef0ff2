import { open } from '../../http/access/access.ts'
import { raw } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { buildMissing, readServedFile } from '../../http/served-file.ts'
import { Refusal } from '../../kernel/refusal.ts'

/** The SDK, always the version of the API that serves it. */
export function sdkRoutes(): Route[] {
  return [
    sdkFile({
      path: '/sdk/atrium.js',
      name: 'sdkModule',
      type: 'text/javascript; charset=utf-8',
      summary: 'Get the SDK as one module for browsers',
    }),
    sdkFile({
      path: '/sdk/atrium.tgz',
      name: 'sdkPackage',
      type: 'application/gzip',
      summary: 'Get the SDK as an npm package',
    }),
  ]
}

function sdkFile({ path, name, type, summary }: { path: string; name: string; type: string; summary: string }): Route {
  return route({
    method: 'GET',
    path,
    name,
    tag: 'Documentation',
    access: open('the SDK is public, as the documentation is'),
    limit: 'none',
    summary,
    answers: { 200: { rawTypes: [type], description: 'The file.' } },
    refusals: ['NOT_FOUND'],
    cache: { maxAgeSeconds: 3600, isConstant: true },
    handle: async () => {
      const file = await readServedFile(path.slice(1))
      if (file === null) throw new Refusal('NOT_FOUND', { detail: buildMissing })
      return raw(type, file)
    },
  })
}
