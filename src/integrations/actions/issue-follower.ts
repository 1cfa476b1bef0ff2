import type { TaskText, Written } from '../../providers/writers/writer.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Integration } from '../integrations/integration.rules.ts'
import type { Action } from './action.rules.ts'

type OfProvider = Pick<Integration, 'provider'>

/** Keeps a task and its issue equal. Actions report here what they do with them, in their transactions. */
export type IssueFollower = {
  /** An issue is to be created. Nothing was written yet. */
  begin(tx: TenantScope, action: Action, integration: OfProvider): Promise<void>
  /** What a request that may reach the tracker writes. */
  sending(tx: TenantScope, action: Action, sent: OfProvider & { text: TaskText }): Promise<void>
  created(tx: TenantScope, action: Action, written: Written): Promise<void>
  failed(tx: TenantScope, action: Action): Promise<void>
}
