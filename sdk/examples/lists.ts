import { AtriumAdmin } from '@atrium/sdk/admin'

const atrium = new AtriumAdmin({ baseUrl: process.env.BASE ?? '', adminKey: process.env.ADMIN_KEY ?? '' })

for await (const tenant of atrium.tenants.list({ q: process.env.SLUG ?? '' })) console.log(tenant.slug)

const { tenants, pagination } = await atrium.tenants.list({ limit: 1 }).page()
console.log(tenants.length, pagination.page)
