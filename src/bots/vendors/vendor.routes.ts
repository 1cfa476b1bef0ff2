import type { Static } from 'typebox'
import { noContent, ok } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { botAdminAccess as access, botBase, tag } from '../access.ts'
import { vendorTable } from '../providers/vendor-table.ts'
import { NewVendor, type VendorAnswer, VendorDetail, VendorList } from './vendor.schema.ts'
import type { Vendors } from './vendor.service.ts'
import { listVendors, type VendorSettings } from './vendor.store.ts'

const path = `${botBase}/vendors`

export function vendorRoutes(vendors: Vendors): Route[] {
  return [
    route({
      method: 'GET',
      path,
      name: 'listBotVendors',
      tag,
      summary: 'List the vendors of bots that are set up',
      access,
      answers: { 200: VendorList },
      handle: async ({ scope }) => ok({ vendors: (await listVendors(scope)).map(vendorView) }),
    }),
    route({
      method: 'PUT',
      path: '/assistant/v1/bot/vendors/:vendor',
      name: 'setBotVendor',
      tag,
      summary: 'Set up a vendor of bots',
      description:
        '`recall`, `attendee` or `vexa`: a service that sends bots to meetings on Zoom, Google Meet and Teams. It can be moved to another region or address only while none of its bots is live; the key and the secret can be changed at any time.',
      access,
      body: NewVendor,
      answers: { 200: VendorDetail },
      refusals: ['STATE_CONFLICT', 'QUOTA_EXCEEDED'],
      handle: async ({ scope, params, body }) =>
        ok({ vendor: vendorView(await vendors.put(scope, params.vendor, body)) }),
    }),
    route({
      method: 'DELETE',
      path: '/assistant/v1/bot/vendors/:vendor',
      name: 'deleteBotVendor',
      tag,
      summary: 'Delete the settings of a vendor of bots',
      description:
        'Only while none of its bots is live. The service stops asking whether the vendor has erased its copies; the audit log has the number of bots whose copies were not confirmed as erased.',
      access,
      answers: { 204: null },
      refusals: ['STATE_CONFLICT'],
      handle: async ({ scope, params }) => {
        await vendors.remove(scope, params.vendor)
        return noContent()
      },
    }),
  ]
}

function vendorView(settings: VendorSettings): Static<typeof VendorAnswer> {
  const { vendor, region, baseUrl, connectionId, createdAt, updatedAt } = settings
  const { title, platforms } = vendorTable[vendor]
  return {
    vendor,
    name: title,
    region,
    baseUrl,
    platforms: [...platforms],
    webhookPath: connectionId === null ? null : `/assistant/v1/webhooks/inbound/bot/${connectionId}`,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}
