import { AtriumAdmin } from '@atrium/sdk/admin'

const atrium = new AtriumAdmin({ baseUrl: process.env.BASE ?? '', adminKey: process.env.ADMIN_KEY ?? '' })

const slug = process.env.SLUG ?? ''
const { tenant } = await atrium.tenants.create({ name: 'Acme Networks', slug, contactEmail: 'ops@acme.example' })
const { apiKey } = await atrium.apiKeys.create({ tenantId: tenant.id, name: 'app', products: ['vault-vpn'] })
const { license } = await atrium.licenses.create({ tenantId: tenant.id, product: 'vault-vpn', plan: 'PRO' })
console.log(apiKey.keyPrefix, license.plan)
