import { isIP } from 'node:net'
import type { FieldError } from '../../kernel/refusal.ts'
import { parseSubnet4, parseSubnet6, type SubnetResult, subnetsOverlap } from '../wireguard/address.rules.ts'
import { publicKeyProblem } from '../wireguard/keys.ts'
import { deviceRoom, type ServerTerms } from './server.rules.ts'

/** RFC 1123 section 2.1: labels of letters, digits and hyphens, 253 characters in all. */
const hostName = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i

/** Everything wrong with the terms of one server, by the path of the request's field. Subnets have to be canonical already. */
export function faultsOf(terms: ServerTerms): FieldError[] {
  const keyProblem = terms.publicKey === null ? null : publicKeyProblem(terms.publicKey)
  return [
    ...(isIP(terms.publicIp) > 0 ? [] : [fault('publicIp', 'is not an IP address')]),
    ...(isHost(terms.endpointHost) ? [] : [fault('endpointHost', 'is not a host name or IP address')]),
    ...(keyProblem === null ? [] : [fault('publicKey', keyProblem)]),
    ...terms.dns.flatMap((address, index) =>
      isIP(address) > 0 ? [] : [fault(`dns/${index}`, 'is not an IP address')],
    ),
    ...subnetFaults('subnet4', parseSubnet4(terms.subnet4)),
    ...subnetFaults('subnet6', parseSubnet6(terms.subnet6)),
    ...capacityFaults(terms),
  ]
}

/** What a node says of its server at its enrollment. */
export function enrollmentFaults(said: { publicKey: string; endpointHost: string | null }): FieldError[] {
  const keyProblem = publicKeyProblem(said.publicKey)
  return [
    ...(keyProblem === null ? [] : [fault('publicKey', keyProblem)]),
    ...(said.endpointHost === null || isHost(said.endpointHost)
      ? []
      : [fault('endpointHost', 'is not a host name or IP address')]),
  ]
}

/** The terms with their subnets in the one canonical spelling, where they have one. */
export function canonical<T extends ServerTerms>(terms: T): T {
  return {
    ...terms,
    subnet4: parseSubnet4(terms.subnet4).subnet?.text ?? terms.subnet4,
    subnet6: parseSubnet6(terms.subnet6).subnet?.text ?? terms.subnet6,
  }
}

type Neighbour = { name: string; subnet4: string; subnet6: string }

/** The subnets that another server has already, wholly or in part; all of them canonical. */
export function overlapFaults(terms: ServerTerms, others: Neighbour[]): FieldError[] {
  return (['subnet4', 'subnet6'] as const).flatMap((field) => {
    const other = others.find((neighbour) => subnetsOverlap(neighbour[field], terms[field]))
    return other === undefined ? [] : [fault(field, `overlaps ${other[field]} of the server ${other.name}`)]
  })
}

function subnetFaults(field: string, { problem }: SubnetResult): FieldError[] {
  return problem === null ? [] : [fault(field, problem)]
}

function isHost(text: string): boolean {
  return isIP(text) > 0 || hostName.test(text)
}

function capacityFaults({ subnet4, capacity }: ServerTerms): FieldError[] {
  if (parseSubnet4(subnet4).problem !== null) return []
  const room = deviceRoom(subnet4)
  return capacity <= room
    ? []
    : [fault('capacity', `is more than the ${room} devices that ${subnet4} has addresses for`)]
}

function fault(field: string, message: string): FieldError {
  return { path: `/body/${field}`, code: 'invalid', message }
}
