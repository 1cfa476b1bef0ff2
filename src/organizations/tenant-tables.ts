import type { TenantTable } from '../kernel/tenant-table.ts'

/** Parents before children. */
export const organizationTables: TenantTable[] = [
  {
    name: 'organizations',
    inFile: { key: ['id'], columns: ['id', 'name', 'time_zone', 'created_at', 'updated_at'] },
    leftOut: {
      member_count: 'Can be counted from the members.',
      invited_on: 'Limits the mails of a day.',
      invited_count: 'Limits the mails of a day.',
      reminded_on: 'Keeps reminders from being sent twice a day.',
      revision: 'Counts the changes of the organization.',
    },
    onErasure: 'DELETED',
    ofOrganization: { column: 'id' },
  },
  {
    name: 'organization_members',
    inFile: {
      key: ['org_id', 'user_id'],
      columns: ['org_id', 'user_id', 'role', 'notify_tasks_due', 'joined_at'],
    },
    leftOut: {},
    onErasure: 'DELETED',
    ofOrganization: { column: 'org_id' },
  },
  {
    name: 'organization_invitations',
    inFile: {
      key: ['id'],
      columns: ['id', 'org_id', 'email', 'role', 'status', 'invited_by', 'created_at', 'expires_at'],
    },
    leftOut: {
      token_hash: 'A secret of the invited person.',
      mail_id: 'The mail in the outbox, which is kept for 30 days.',
    },
    onErasure: 'DELETED',
    ofOrganization: { column: 'org_id' },
  },
]
