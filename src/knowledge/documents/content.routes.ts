import { type Route, route } from '../../http/route.ts'
import { knowledgeAccess as access } from '../access.ts'
import type { Contents } from './content.service.ts'
import { documentBase, tag } from './document.routes.ts'
import { ContentQuery } from './document.schema.ts'

export function contentRoute({ contents }: { contents: Contents }): Route {
  return route({
    method: 'GET',
    path: `${documentBase}/content`,
    name: 'getDocumentContent',
    tag,
    summary: 'Get the file or the text of a document',
    description:
      'The uploaded file, sent as a download, or the text that was read from it, in UTF-8. Positions of quotes and citations are code points of this text. One byte range per request.',
    access,
    query: ContentQuery,
    answers: {
      200: { file: true, description: 'The file or the text.' },
      206: { file: true, description: 'The requested range.' },
    },
    refusals: ['STATE_CONFLICT'],
    handle: async ({ scope, user, params: { orgId, documentId: id }, query: { format = 'original', version } }) => {
      const { file, headers } = await contents.open(scope, { user, orgId, id }, { format, version })
      return { status: 200 as const, headers, body: file }
    },
  })
}
