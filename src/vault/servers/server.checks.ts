import { isIP } from 'node:net'
import type { FieldRule, Fitting } from '../../kernel/field-rules.ts'
import { type FieldError, refuseFields } from '../../kernel/refusal.ts'
import { parseSubnet4, parseSubnet6, type SubnetResult, subnetsOverlap } from '../wireguard/address.rules.ts'
import { publicKeyProblem } from '../wireguard/keys.ts'
import { deviceCount, type ServerSettings } from './server.rules.ts'

/** RFC 1123 section 2.1: labels of letters, digits and hyphens, 253 characters in all. */
const hostName = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i

/** All faults of the given settings, each with the path of its field. Expects canonical subnets. */
export function serverFaults(terms: Fitting<ServerSettings>): FieldError[] {
  const { publicIp, endpointHost, publicKey = null, dns = [], subnet4, subnet6 } = terms
  const keyProblem = publicKey === null ? null : publicKeyProblem(publicKey)
  return [
    ...(publicIp === undefined || isIP(publicIp) > 0 ? [] : [fieldFault('publicIp', 'is not an IP address')]),
    ...(endpointHost === undefined || isHost(endpointHost)
      ? []
      : [fieldFault('endpointHost', 'is not a host name or IP address')]),
    ...(keyProblem === null ? [] : [fieldFault('publicKey', keyProblem)]),
    ...(dns ?? []).flatMap((address, index) =>
      isIP(address) > 0 ? [] : [fieldFault(`dns/${index}`, 'is not an IP address')],
    ),
    ...(subnet4 === undefined ? [] : subnetFaults('subnet4', parseSubnet4(subnet4))),
    ...(subnet6 === undefined ? [] : subnetFaults('subnet6', parseSubnet6(subnet6))),
    ...capacityFaults(terms),
  ]
}

/** Rules of a new server and of a change. */
export function serverSettingRules(sent: Fitting<ServerSettings>): FieldRule[] {
  return [() => refuseFields(serverFaults(withCanonicalSubnets(sent)))]
}

/** All faults of what a node sends at its enrollment. */
export function enrollmentFaults({
  publicKey,
  endpointHost = null,
}: {
  publicKey?: string | undefined
  endpointHost?: string | null | undefined
}): FieldError[] {
  const keyProblem = publicKey === undefined ? null : publicKeyProblem(publicKey)
  return [
    ...(keyProblem === null ? [] : [fieldFault('publicKey', keyProblem)]),
    ...(endpointHost === null || isHost(endpointHost)
      ? []
      : [fieldFault('endpointHost', 'is not a host name or IP address')]),
  ]
}

/** The settings with their subnets in canonical form, where they have one. */
export function withCanonicalSubnets<T extends Fitting<ServerSettings>>(terms: T): T {
  const { subnet4, subnet6 } = terms
  return {
    ...terms,
    ...(subnet4 === undefined ? {} : { subnet4: parseSubnet4(subnet4).subnet?.text ?? subnet4 }),
    ...(subnet6 === undefined ? {} : { subnet6: parseSubnet6(subnet6).subnet?.text ?? subnet6 }),
  }
}

export type OtherServer = { name: string; subnet4: string; subnet6: string }

/** Subnets that overlap with another server's. Expects canonical subnets. */
export function overlapFaults(terms: ServerSettings, others: OtherServer[]): FieldError[] {
  return (['subnet4', 'subnet6'] as const).flatMap((field) => {
    const other = others.find((neighbour) => subnetsOverlap(neighbour[field], terms[field]))
    return other === undefined ? [] : [fieldFault(field, `overlaps ${other[field]} of the server ${other.name}`)]
  })
}

function subnetFaults(field: string, { problem }: SubnetResult): FieldError[] {
  return problem === null ? [] : [fieldFault(field, problem)]
}

function isHost(text: string): boolean {
  return isIP(text) > 0 || hostName.test(text)
}

function capacityFaults({ subnet4, capacity }: Fitting<ServerSettings>): FieldError[] {
  if (subnet4 === undefined || capacity === undefined || parseSubnet4(subnet4).problem !== null) return []
  const room = deviceCount(subnet4)
  return capacity <= room
    ? []
    : [fieldFault('capacity', `must be at most ${room}, the number of device addresses in ${subnet4}`)]
}

function fieldFault(field: string, message: string): FieldError {
  return { path: `/body/${field}`, code: 'invalid', message }
}
