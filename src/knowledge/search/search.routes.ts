import { ok } from '../../http/answer.ts'
import { readTimes } from '../../http/period-query.ts'
import { type Route, route } from '../../http/route.ts'
import { knowledgeAccess as access, searchTag as tag } from '../access.ts'
import { SearchQuery, SearchResults } from './search.schema.ts'
import type { Searching } from './search.service.ts'
import { hitView } from './search.view.ts'

export function searchRoute({ searching }: { searching: Searching }): Route {
  return route({
    method: 'GET',
    path: '/assistant/v1/orgs/:orgId/search',
    name: 'searchOrg',
    tag,
    summary: 'Search documents and transcripts',
    description:
      'Finds what you may read at this moment: documents of open collections and of those that list you, and transcripts of your meetings and of those shared with you. The best match comes first. A word that occurs nowhere is replaced by one that differs in one letter; `corrected` shows it.',
    access,
    query: SearchQuery,
    answers: { 200: SearchResults },
    refusals: ['NOT_FOUND', 'UNAVAILABLE'],
    handle: async ({ scope, user, params: { orgId }, query: { q, limit = 10, from, to, ...filter } }) => {
      const asked = { user, orgId, filter: { ...filter, ...readTimes({ from, to }) } }
      const { hits, corrected, searched } = await searching.search(scope, asked, { text: q, limit })
      return ok({ results: hits.map((hit) => hitView(orgId, hit)), corrected, searched })
    },
  })
}
