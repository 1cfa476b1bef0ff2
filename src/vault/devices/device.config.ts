import { renderConfig } from '../wireguard/config.rules.ts'
import { effectiveDns } from '../wireguard/dns.rules.ts'
import type { Device } from './device.rules.ts'
import type { ServerParts } from './device.store.ts'
import type { OpenKeys } from './device-keys.ts'

export type Config = { device: Device; text: string; isComplete: boolean }

/** The configuration file; incomplete if the service never had the private key. */
export function toConfig(device: Device & ServerParts, { privateKey, presharedKey }: OpenKeys): Config {
  const { deviceName, region, configVersion, endpointHost, endpointPort, mtu, serverPublicKey } = device
  const text = renderConfig({
    deviceName,
    region,
    configVersion,
    privateKey,
    address4: device.assignedIp,
    address6: device.assignedIpv6,
    dns: effectiveDns(device),
    mtu,
    serverPublicKey,
    presharedKey,
    endpointHost,
    endpointPort,
  })
  return { device, text, isComplete: privateKey !== null }
}
