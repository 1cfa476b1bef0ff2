import type { TenantTable } from '../kernel/tenant-table.ts'

/** Parents before children. */
export const mailCommandTables: TenantTable[] = [
  {
    name: 'mail_invitations',
    inFile: {
      key: ['id'],
      columns: ['id', 'owner_id', 'org_id', 'user_id', 'look_at', 'ends_at'],
    },
    leftOut: {
      uid_hash: 'Finds an invitation again.',
      series_sealed: 'May contain passcodes of meetings.',
      revision: 'Counts the changes of the invitation.',
    },
    onErasure: 'DELETED',
    ofOrganization: { column: 'owner_id' },
  },
  {
    name: 'mail_invitation_meetings',
    inFile: {
      key: ['invitation_id', 'occurrence'],
      columns: ['invitation_id', 'occurrence', 'meeting_id', 'is_gone', 'ends_at'],
    },
    leftOut: { fingerprint: 'Tells whether an occurrence has changed.' },
    onErasure: 'DELETED',
  },
]
