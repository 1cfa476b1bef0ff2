import { many, run, sql } from '../query.ts'
import type { PlatformScope } from '../scope.ts'

/** A process of the service. `files`: where it keeps uploaded files. */
export type ServiceNode = { id: string; host: string; files: string }

/** Inserts the node or renews it, and forgets nodes that were killed long ago. */
export async function recordNode(platform: PlatformScope, node: ServiceNode, now: Date, oldest: Date): Promise<void> {
  await run(
    platform,
    sql`insert into service_nodes (id, host, files, seen_at) values (${node.id}, ${node.host}, ${node.files}, ${now})
      on conflict (id) do update set seen_at = excluded.seen_at`,
  )
  await run(platform, sql`delete from service_nodes where seen_at < ${oldest}`)
}

/** The other nodes that were seen since then. */
export function listOtherNodes(platform: PlatformScope, id: string, since: Date): Promise<ServiceNode[]> {
  return many(
    platform,
    sql<ServiceNode>`select id, host, files from service_nodes where id <> ${id} and seen_at >= ${since} order by id`,
  )
}

export async function removeNode(platform: PlatformScope, id: string): Promise<void> {
  await run(platform, sql`delete from service_nodes where id = ${id}`)
}
