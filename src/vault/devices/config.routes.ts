import { endUser } from '../../http/access/access.ts'
import { raw, secret } from '../../http/answer.ts'
import { preferredMediaType } from '../../http/negotiation.ts'
import { type Route, route } from '../../http/route.ts'
import { productSlugs } from '../../kernel/products.ts'
import { conflict } from '../faults.ts'
import { configFileName } from '../wireguard/config.rules.ts'
import { qrPng, qrSvg } from '../wireguard/qr.ts'
import type { Config } from './device.config.ts'
import { ConfigQuery } from './device.schema.ts'
import type { Devices } from './device.service.ts'

const mediaTypes = ['text/plain', 'image/svg+xml', 'image/png'] as const
type MediaType = (typeof mediaTypes)[number]

const mediaTypeByFormat = { conf: 'text/plain', qr: 'image/svg+xml', svg: 'image/svg+xml', png: 'image/png' } as const

export function configRoutes(devices: Devices): Route[] {
  return [
    route({
      method: 'GET',
      path: '/vault/v1/devices/:deviceId/config',
      name: 'getDeviceConfig',
      tag: 'Devices',
      summary: 'Download the WireGuard configuration of a device',
      description:
        'The file to import into a WireGuard client, or its QR code. If the device was registered with its own public key, the ' +
        'service never had the private key: the file then holds a placeholder, `X-Config-Complete` is `false`, and a QR code ' +
        'is refused with `STATE_CONFLICT`.',
      access: endUser(productSlugs.vpn),
      query: ConfigQuery,
      answers: { 200: { rawTypes: mediaTypes, description: 'The file, or its QR code.' } },
      refusals: ['STATE_CONFLICT'],
      handle: async ({ scope, user, params, query, headers }) => {
        const config = await devices.deviceConfig(scope, user.id, params.deviceId)
        const type =
          query.format === undefined
            ? (preferredMediaType(headers.accept, [...mediaTypes]) as MediaType)
            : mediaTypeByFormat[query.format]
        return secret(await configAnswer(type, config))
      },
    }),
  ]
}

async function configAnswer(type: MediaType, { device, text, isComplete }: Config) {
  const headers = { vary: 'Accept', 'x-config-complete': String(isComplete) }
  if (type === 'text/plain') {
    const disposition = `attachment; filename="${configFileName(device.deviceName, device.id)}"`
    return raw('text/plain; charset=utf-8', text, { ...headers, 'content-disposition': disposition })
  }
  if (!isComplete)
    throw conflict(
      'The service never had the private key of this device, so a QR code of its configuration would not work.',
    )
  return raw(type, type === 'image/png' ? await qrPng(text) : await qrSvg(text), headers)
}
