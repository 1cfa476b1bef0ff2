import type { TenantTable } from '../../kernel/tenant-table.ts'

const proof = 'Only the holder of the master key can verify it.'

/** Parents before children. The tenant's own row is in the header of the file. */
export const identityTables: TenantTable[] = [
  {
    name: 'api_keys',
    inFile: {
      key: ['id'],
      columns: [
        'id',
        'name',
        'products',
        'key_prefix',
        'expires_at',
        'last_used_at',
        'created_at',
        'revoked_at',
        'rotated_from_id',
      ],
    },
    leftOut: { key_hash: 'The key itself is known only to its holder.' },
    onErasure: 'DELETED',
  },
  {
    name: 'users',
    inFile: {
      key: ['id'],
      columns: [
        'id',
        'email',
        'name',
        'role',
        'status',
        'google_id',
        'email_verified',
        'last_login_at',
        'created_at',
        'updated_at',
      ],
    },
    leftOut: { password_hash: 'Passwords could be guessed from it.' },
    onErasure: 'DELETED',
  },
  {
    name: 'user_sessions',
    inFile: {
      key: ['id'],
      columns: ['id', 'user_id', 'created_at', 'expires_at', 'last_used_at', 'revoked_at', 'revoked_reason'],
    },
    leftOut: {},
    onErasure: 'DELETED',
  },
  {
    name: 'refresh_tokens',
    inFile: null,
    leftOut: { '*': 'Hashes of credentials, without information beyond their sessions.' },
    onErasure: 'DELETED',
  },
  {
    name: 'login_sources',
    inFile: null,
    leftOut: { '*': 'Keyed hashes of addresses and browsers, which nobody can read.' },
    onErasure: 'DELETED',
  },
  {
    name: 'login_failures',
    inFile: null,
    leftOut: { '*': 'Short-lived counters under the hash of an address.' },
    onErasure: 'DELETED',
  },
  {
    name: 'account_tokens',
    inFile: null,
    leftOut: { '*': 'Hashes of credentials that are valid for at most a day.' },
    onErasure: 'DELETED',
  },
  {
    name: 'idempotency_keys',
    inFile: null,
    leftOut: { '*': 'Answers that were sent already, kept for a day for the case that they got lost.' },
    onErasure: 'REDACTED',
  },
  {
    name: 'audit_log',
    inFile: {
      key: ['at', 'id'],
      columns: [
        'id',
        'at',
        'actor_type',
        'actor_id',
        'actor_label',
        'action',
        'target_type',
        'target_id',
        'outcome',
        'changes',
        'ip',
        'request_id',
        'seq',
        'redacted_at',
      ],
    },
    leftOut: {
      salt: proof,
      personal_digest: proof,
      digest: proof,
      chain_hash: proof,
      redaction_mac: proof,
    },
    onErasure: 'REDACTED',
  },
]
