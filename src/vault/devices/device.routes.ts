import { endUser } from '../../http/access/access.ts'
import { accepted, created, ok, secret } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { toPagination } from '../../kernel/paging.ts'
import { productSlugs } from '../../kernel/products.ts'
import type { Config } from './device.config.ts'
import {
  DeviceChange,
  DeviceDetail,
  DeviceList,
  DeviceQuery,
  DeviceRevoked,
  DeviceWithConfig,
  Move,
  NewDevice,
  NewKeys,
} from './device.schema.ts'
import type { Devices } from './device.service.ts'
import { getDevice, listDevices } from './device.store.ts'
import { deviceView } from './device.view.ts'
import { deviceRules } from './device-field-rules.ts'

const tag = 'Devices'
const access = endUser(productSlugs.vpn)

export function deviceRoutes(devices: Devices): Route[] {
  return [...keyRoutes(devices), ...readRoutes(), ...changeRoutes(devices)]
}

/** Routes whose answers hold keys. */
function keyRoutes(devices: Devices): Route[] {
  return [
    route({
      method: 'POST',
      path: '/vault/v1/devices',
      name: 'registerDevice',
      tag,
      summary: 'Register a device',
      description:
        'Assigns an address and answers with the WireGuard configuration. The server accepts the device after its first connect.',
      access,
      body: NewDevice,
      answers: { 201: DeviceWithConfig },
      refusals: ['QUOTA_EXCEEDED', 'CAPACITY_EXHAUSTED', 'STATE_CONFLICT', 'NOT_FOUND'],
      idempotent: true,
      rules: ({ scope, body }) => deviceRules(scope, body),
      handle: async ({ scope, user, body }) => {
        const config = await devices.register(scope, user.id, body)
        return {
          ...secret(created(`/vault/v1/devices/${config.device.id}`, withConfig(config))),
          subjectId: config.device.id,
        }
      },
    }),
    route({
      method: 'POST',
      path: '/vault/v1/devices/:deviceId/rotate',
      name: 'rotateDeviceKeys',
      tag,
      summary: 'Rotate the keys of a device',
      description:
        'Creates a new key pair, or takes the public key you send, and always a new preshared key. The old configuration stops working. An open session stays open.',
      access,
      body: NewKeys,
      answers: { 200: DeviceWithConfig },
      refusals: ['STATE_CONFLICT'],
      idempotent: true,
      rules: ({ scope, body }) => deviceRules(scope, body),
      handle: async ({ scope, user, params, body }) => {
        const config = await devices.rotate(scope, user.id, params.deviceId, body)
        return { ...secret(ok(withConfig(config))), subjectId: config.device.id }
      },
    }),
    route({
      method: 'POST',
      path: '/vault/v1/devices/:deviceId/move',
      name: 'moveDevice',
      tag,
      summary: 'Move a device to another server',
      description:
        'For example away from a server that is draining. The keys stay; address and endpoint change, so the device needs the new ' +
        'configuration. An open session continues on the new server and ends as idle if there is no handshake within 300 s.',
      access,
      body: Move,
      answers: { 200: DeviceWithConfig },
      refusals: ['CAPACITY_EXHAUSTED'],
      idempotent: true,
      rules: ({ scope, body }) => deviceRules(scope, body),
      handle: async ({ scope, user, params, body }) => {
        const config = await devices.move(scope, user.id, params.deviceId, body)
        return { ...secret(ok(withConfig(config))), subjectId: config.device.id }
      },
    }),
  ]
}

function readRoutes(): Route[] {
  return [
    route({
      method: 'GET',
      path: '/vault/v1/devices',
      name: 'listDevices',
      tag,
      summary: 'List your devices',
      access,
      query: DeviceQuery,
      answers: { 200: DeviceList },
      handle: async ({ scope, user, query: { page = 1, limit = 20, status = null } }) => {
        const { items, total } = await listDevices(scope, { userId: user.id, status }, { page, limit })
        return ok({ devices: items.map(deviceView), pagination: toPagination({ page, limit }, total) })
      },
    }),
    route({
      method: 'GET',
      path: '/vault/v1/devices/:deviceId',
      name: 'getDevice',
      tag,
      summary: 'Show one of your devices',
      description: 'Revoked devices are shown, too.',
      access,
      answers: { 200: DeviceDetail },
      handle: async ({ scope, user, params }) =>
        ok({ device: deviceView(await getDevice(scope, user.id, params.deviceId)) }),
    }),
  ]
}

function changeRoutes(devices: Devices): Route[] {
  return [
    route({
      method: 'PATCH',
      path: '/vault/v1/devices/:deviceId',
      name: 'renameDevice',
      tag,
      summary: 'Rename a device',
      access,
      body: DeviceChange,
      answers: { 200: DeviceDetail },
      handle: async ({ scope, user, params, body }) =>
        ok({ device: deviceView(await devices.rename(scope, user.id, params.deviceId, body)) }),
    }),
    route({
      method: 'DELETE',
      path: '/vault/v1/devices/:deviceId',
      name: 'revokeDevice',
      tag,
      summary: 'Revoke a device',
      description:
        'This is final. The session ends with `DEVICE_REVOKED`, the keys are deleted, and the address can go to another device after a day. ' +
        'The device stays readable as `REVOKED`. The answer is 200 once the node of its server has removed it, or 202 with `confirmedAt` null if the node has not confirmed within two seconds.',
      access,
      answers: { 200: DeviceRevoked, 202: DeviceRevoked },
      handle: async ({ scope, user, params }) => {
        const device = deviceView(await devices.revoke(scope, user.id, params.deviceId))
        const { confirmedAt } = device
        return confirmedAt === null ? accepted({ device, confirmedAt }) : ok({ device, confirmedAt })
      },
    }),
  ]
}

function withConfig({ device, text }: Config) {
  return { device: deviceView(device), config: text, assignedIp: device.assignedIp }
}
