import { enrollingNode, node } from '../../http/access/access.ts'
import { noContent, ok, secret } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { refuseFields } from '../../kernel/refusal.ts'
import { enrollmentFaults } from '../servers/server.checks.ts'
import { serverAddresses } from '../wireguard/address.rules.ts'
import { effectiveDns } from '../wireguard/dns.rules.ts'
import {
  Enrolled,
  Enrollment,
  EnrollmentPreview,
  NodeReport,
  NodeStatus,
  PeersAnswer,
  PeersQuery,
} from './node.schema.ts'
import type { Nodes } from './node.service.ts'
import { type EnrolledServer, getEnrollingServer } from './node.store.ts'
import type { Reports } from './report.service.ts'

const tag = 'VPN nodes'
/** A report of 10,000 peers is less than 2 MB. */
const reportBytesMax = 4 * 1024 * 1024
/** 20,000 peers, each with four members. */
const reportMembersMax = 110_000

type Parts = { nodes: Nodes; reports: Reports }

export function nodeRoutes({ nodes, reports }: Parts): Route[] {
  return [enrollmentRoute(), enrollRoute(nodes), peersRoute(nodes), ...reportRoutes({ nodes, reports })]
}

function enrollmentRoute(): Route {
  return route({
    method: 'GET',
    path: '/vault/v1/node/enroll',
    name: 'getNodeEnrollment',
    tag,
    summary: 'Show the server that an enrollment token is for',
    description:
      'Does not use the token up. An agent checks with it whether its machine is ready, for example whether the port is free.',
    access: enrollingNode(),
    answers: { 200: EnrollmentPreview },
    handle: async ({ platform, node }) => ok({ server: serverView(await getEnrollingServer(platform, node)) }),
  })
}

function enrollRoute(nodes: Nodes): Route {
  return route({
    method: 'POST',
    path: '/vault/v1/node/enroll',
    name: 'enrollNode',
    tag,
    summary: 'Enroll as the node of a server',
    description:
      'Takes the one-time token of `/admin/vpn/servers/:serverId/enrollment-token`. The node makes the private key of the server ' +
      'and never sends it. The token of a node that enrolled earlier stops working.',
    access: enrollingNode(),
    body: Enrollment,
    answers: { 200: Enrolled },
    rules: ({ body }) => [() => refuseFields(enrollmentFaults(body))],
    handle: async ({ platform, node, body }) => {
      const { nodeToken, server } = await nodes.enroll(platform, node, body)
      return secret(ok({ nodeToken, server: serverView(server) }))
    },
  })
}

function peersRoute(nodes: Nodes): Route {
  return route({
    method: 'GET',
    path: '/vault/v1/node/peers',
    name: 'listNodePeers',
    tag,
    summary: 'Poll for the peers to accept',
    description:
      'Answers with the changes after the revision `since` (a delta), at once or as soon as there are any. If `since` is 0 or too ' +
      'old, the answer is a snapshot of all peers. It is 204 if nothing changes within `wait` seconds.',
    access: node(),
    query: PeersQuery,
    answers: { 200: PeersAnswer, 204: null },
    refusals: ['REVISION_AHEAD', 'NODE_SUPERSEDED'],
    longPoll: true,
    handle: async ({ platform, node, query, signal }) => {
      const answer = await nodes.peers(platform, node, { ...query, signal })
      return answer === null ? noContent() : secret(ok(answer))
    },
  })
}

function reportRoutes({ nodes, reports }: Parts): Route[] {
  return [
    route({
      method: 'POST',
      path: '/vault/v1/node/status',
      name: 'acknowledgePeers',
      tag,
      summary: 'Confirm what has been applied',
      description: 'Send it right after applying changes: it confirms revocations.',
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
        'Send it every 15 s, also without any peer: a server whose node is silent becomes `STALE` after 60 s. A report whose `seq` is ' +
        'not greater than the last one of its `epoch` has no effect.',
      access: node(),
      body: NodeReport,
      bodyBytesMax: reportBytesMax,
      bodyMembersMax: reportMembersMax,
      answers: { 204: null },
      refusals: ['NODE_SUPERSEDED'],
      handle: async ({ platform, node, body }) => {
        await reports.report(platform, node, body)
        return noContent()
      },
    }),
  ]
}

function serverView(server: EnrolledServer) {
  const { id, name, region, subnet4, subnet6, endpointPort: listenPort, mtu } = server
  const own = serverAddresses(server)
  return { id, name, region, ...own, subnet4, subnet6, listenPort, mtu, dns: effectiveDns(server) }
}
