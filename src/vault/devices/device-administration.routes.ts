import { admin } from '../../http/access/access.ts'
import { accepted, ok } from '../../http/answer.ts'
import { resolveTenantScope, type TenantExists } from '../../http/mounts.ts'
import { type Route, route } from '../../http/route.ts'
import { toPagination } from '../../kernel/paging.ts'
import { DeviceDetail, DeviceList, DeviceRevoked, TenantDeviceQuery } from './device.schema.ts'
import type { Devices } from './device.service.ts'
import { getDevice, listDevices } from './device.store.ts'
import { deviceView } from './device.view.ts'

const tag = 'Devices'
const path = '/admin/tenants/:tenantId/devices'

type DeviceAdministrationDeps = { devices: Devices; tenantExists: TenantExists }

/** The devices of a tenant, for administrators of the platform. No answer has a key that is secret. */
export function deviceAdministrationRoutes({ devices, tenantExists }: DeviceAdministrationDeps): Route[] {
  return [
    route({
      method: 'GET',
      path,
      name: 'listTenantDevices',
      tag,
      summary: 'List the devices of a tenant',
      access: admin('VIEWER'),
      query: TenantDeviceQuery,
      answers: { 200: DeviceList },
      handle: async ({ platform, params, query: { page = 1, limit = 20, status = null, userId = null } }) => {
        const scope = await resolveTenantScope(platform, params.tenantId, tenantExists)
        const { items, total } = await listDevices(scope, { userId, status }, { page, limit })
        return ok({ devices: items.map(deviceView), pagination: toPagination({ page, limit }, total) })
      },
    }),
    route({
      method: 'GET',
      path: `${path}/:deviceId`,
      name: 'getTenantDevice',
      tag,
      summary: 'Get a device of a tenant',
      access: admin('VIEWER'),
      answers: { 200: DeviceDetail },
      handle: async ({ platform, params }) => {
        const scope = await resolveTenantScope(platform, params.tenantId, tenantExists)
        return ok({ device: deviceView(await getDevice(scope, null, params.deviceId)) })
      },
    }),
    route({
      method: 'DELETE',
      path: `${path}/:deviceId`,
      name: 'revokeTenantDevice',
      tag,
      summary: 'Revoke a device of a tenant',
      description:
        'As `DELETE /vault/v1/devices/{deviceId}`: final, and 202 if the node of its server has not confirmed within two seconds. A revoked device gives 404.',
      access: admin('OWNER'),
      answers: { 200: DeviceRevoked, 202: DeviceRevoked },
      handle: async ({ platform, params }) => {
        const scope = await resolveTenantScope(platform, params.tenantId, tenantExists)
        const device = deviceView(await devices.revoke(scope, null, params.deviceId))
        const { confirmedAt } = device
        return confirmedAt === null ? accepted({ device, confirmedAt }) : ok({ device, confirmedAt })
      },
    }),
  ]
}
