import type { TenantTable } from '../kernel/tenant-table.ts'

const secretReason = 'Secrets are never shown.'
const working = 'Working state of a connection that is being made or renewed.'

/** Parents before children. */
export const integrationTables: TenantTable[] = [
  {
    name: 'integration_apps',
    inFile: { key: ['provider'], columns: ['provider', 'client_id', 'settings', 'created_at', 'updated_at'] },
    leftOut: { client_secret_sealed: secretReason },
    onErasure: 'DELETED',
  },
  {
    name: 'integration_returns',
    inFile: { key: ['origin'], columns: ['origin'] },
    leftOut: {},
    onErasure: 'DELETED',
  },
  {
    name: 'integrations',
    inFile: {
      key: ['id'],
      columns: [
        'id',
        'provider',
        'user_id',
        'org_id',
        'connected_by',
        'status',
        'cause',
        'account_id',
        'account_name',
        'choices',
        'features',
        'scopes',
        'app',
        'client_id',
        'is_broker',
        'issued_at',
        'expires_at',
        'last_used_at',
        'last_success_at',
        'failures',
        'next_try_at',
        'created_at',
        'updated_at',
      ],
    },
    leftOut: {
      access_sealed: secretReason,
      refresh_sealed: secretReason,
      token_version: working,
      leased_until: working,
      reauth_mailed_at: working,
      revision: working,
    },
    onErasure: 'DELETED',
  },
  {
    name: 'integration_actions',
    inFile: {
      key: ['id'],
      columns: [
        'id',
        'integration_id',
        'action',
        'subject_id',
        'target',
        'user_id',
        'status',
        'attempts',
        'external_id',
        'external_url',
        'cause',
        'sent_at',
        'created_at',
        'updated_at',
      ],
    },
    leftOut: { target_key: 'The target as text.', leased_until: working, next_try_at: working },
    onErasure: 'DELETED',
  },
  {
    name: 'integration_authorizations',
    inFile: null,
    leftOut: { '*': 'Connections that are being made: kept for minutes.' },
    onErasure: 'DELETED',
  },
  {
    name: 'integration_calendars',
    inFile: null,
    leftOut: { '*': 'Until where calendars were read.' },
    onErasure: 'DELETED',
  },
  {
    name: 'integration_events',
    inFile: {
      key: ['integration_id', 'calendar_id', 'event_key'],
      columns: ['integration_id', 'calendar_id', 'event_key', 'meeting_id', 'is_gone', 'ends_at'],
    },
    leftOut: { fingerprint: 'Tells whether an event has changed.' },
    onErasure: 'DELETED',
  },
  {
    name: 'integration_syncs',
    inFile: {
      key: ['integration_id', 'feature'],
      columns: ['integration_id', 'feature', 'synced_at', 'cause'],
    },
    leftOut: {},
    onErasure: 'DELETED',
  },
  {
    name: 'integration_transcripts',
    inFile: {
      key: ['provider', 'transcript_key'],
      columns: ['provider', 'transcript_key', 'integration_id', 'meeting_id', 'cause', 'recorded_at', 'created_at'],
    },
    leftOut: {},
    onErasure: 'DELETED',
  },
  {
    name: 'integration_channels',
    inFile: null,
    leftOut: { '*': 'Where providers tell of changes, until they are renewed.' },
    onErasure: 'DELETED',
  },
]
