import { enrollingNode, node } from '../../http/access/access.ts'
import { noContent, ok, secret } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { serverAddresses } from '../wireguard/address.rules.ts'
import { Enrolled, Enrollment, NodeReport, NodeStatus, PeersAnswer, PeersQuery } from './node.schema.ts'
import type { Nodes } from './node.service.ts'
import type { Reports } from './report.service.ts'

const tag = 'VPN nodes'
/** A report of 10,000 peers is less than 2 MB. */
const reportBytesMax = 4 * 1024 * 1024

type Parts = { nodes: Nodes; reports: Reports }

export function nodeRoutes({ nodes, reports }: Parts): Route[] {
  return [enrolling(nodes), polling(nodes), ...telling({ nodes, reports })]
}

function enrolling(nodes: Nodes): Route {
  return route({
    method: 'POST',
    path: '/vault/v1/node/enroll',
    name: 'enrollNode',
    tag,
    summary: 'Become the node of a server',
    description:
      'With the one-time token of `/admin/vpn/servers/:serverId/enrollment-token`. The private key of the server is made on the ' +
      'node and never leaves it. The token of a node that enrolled before ends.',
    access: enrollingNode(),
    body: Enrollment,
    answers: { 200: Enrolled },
    handle: async ({ platform, node, body }) => {
      const { nodeToken, server } = await nodes.enroll(platform, node, body)
      const { id, name, region, subnet4, subnet6, endpointPort: listenPort, mtu, dns } = server
      const own = serverAddresses({ subnet4, subnet6 })
      return secret(ok({ nodeToken, server: { id, name, region, ...own, subnet4, subnet6, listenPort, mtu, dns } }))
    },
  })
}

function polling(nodes: Nodes): Route {
  return route({
    method: 'GET',
    path: '/vault/v1/node/peers',
    name: 'listNodePeers',
    tag,
    summary: 'Ask which peers are to be let in',
    description:
      'What changed after the revision `since`, at once or as soon as it does: a delta. A snapshot of all peers where `since` is 0 ' +
      'or too long ago. 204 where nothing changed within `wait` seconds.',
    access: node(),
    query: PeersQuery,
    answers: { 200: PeersAnswer, 204: null },
    refusals: ['REVISION_AHEAD', 'NODE_SUPERSEDED'],
    longPoll: true,
    handle: async ({ platform, node, query, signal }) => {
      const news = await nodes.peers(platform, node, { ...query, signal })
      return news === null ? noContent() : secret(ok(news))
    },
  })
}

function telling({ nodes, reports }: Parts): Route[] {
  return [
    route({
      method: 'POST',
      path: '/vault/v1/node/status',
      name: 'acknowledgePeers',
      tag,
      summary: 'Say what has been applied',
      description: 'At once after applying: revocations are confirmed by it.',
      access: node(),
      body: NodeStatus,
      answers: { 204: null },
      refusals: ['REVISION_AHEAD', 'NODE_SUPERSEDED'],
      handle: async ({ platform, node, body }) => {
        await nodes.status(platform, node, body)
        return noContent()
      },
    }),
    route({
      method: 'POST',
      path: '/vault/v1/node/report',
      name: 'reportPeers',
      tag,
      summary: 'Report handshakes and transfer',
      description:
        'Every 15 s, also without any peer: a server whose node is silent is STALE after 60 s. The same `seq` of an `epoch`, or ' +
        'one before it, has no effect.',
      access: node(),
      body: NodeReport,
      bodyBytesMax: reportBytesMax,
      answers: { 204: null },
      refusals: ['NODE_SUPERSEDED'],
      handle: async ({ platform, node, body }) => {
        await reports.report(platform, node, body)
        return noContent()
      },
    }),
  ]
}
