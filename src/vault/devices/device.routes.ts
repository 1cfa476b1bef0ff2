import { endUser } from '../../http/access/access.ts'
import { accepted, created, ok, secret } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { toPagination } from '../../kernel/paging.ts'
import { productSlugs } from '../../kernel/products.ts'
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
import type { Config, Devices } from './device.service.ts'
import { getDevice, listDevices } from './device.store.ts'
import { deviceView } from './device.view.ts'

const tag = 'Devices'
const access = endUser(productSlugs.vpn)

export function deviceRoutes(devices: Devices): Route[] {
  return [...making(devices), ...reading(), ...changing(devices)]
}

/** What answers with keys. */
function making(devices: Devices): Route[] {
  return [
    route({
      method: 'POST',
      path: '/vault/v1/devices',
      name: 'registerDevice',
      tag,
      summary: 'Register a device',
      description: 'Gives it an address and a WireGuard configuration. It is let in from the first connect on.',
      access,
      body: NewDevice,
      answers: { 201: DeviceWithConfig },
      refusals: ['QUOTA_EXCEEDED', 'CAPACITY_EXHAUSTED', 'STATE_CONFLICT', 'NOT_FOUND'],
      idempotent: true,
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
      summary: 'Give a device new keys',
      description:
        'A new pair, or the public key given, and a new preshared key. The old config stops working; an open session stays open.',
      access,
      body: NewKeys,
      answers: { 200: DeviceWithConfig },
      refusals: ['STATE_CONFLICT'],
      idempotent: true,
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
        'Such as away from one that is draining. The keys stay; address and endpoint change, and with them the config. An open ' +
        'session goes on at the new server, and is idle if no handshake comes there within 300 s.',
      access,
      body: Move,
      answers: { 200: DeviceWithConfig },
      refusals: ['CAPACITY_EXHAUSTED'],
      idempotent: true,
      handle: async ({ scope, user, params, body }) => {
        const config = await devices.move(scope, user.id, params.deviceId, body)
        return { ...secret(ok(withConfig(config))), subjectId: config.device.id }
      },
    }),
  ]
}

function reading(): Route[] {
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
      description: 'Also one that is revoked.',
      access,
      answers: { 200: DeviceDetail },
      handle: async ({ scope, user, params }) =>
        ok({ device: deviceView(await getDevice(scope, user.id, params.deviceId)) }),
    }),
  ]
}

function changing(devices: Devices): Route[] {
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
        'Final: its session ends with DEVICE_REVOKED, its keys are thrown away (a repeat of the creating request under its `Idempotency-Key` still answers with them for 24 hours), and its address is another device’s after a day. ' +
        'It stays readable as REVOKED. 200 once the node of its server has let go of it; 202, with `confirmedAt` null, where the node has not said so within two seconds.',
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
