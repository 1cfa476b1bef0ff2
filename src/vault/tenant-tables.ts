import type { TenantTable } from '../kernel/tenant-table.ts'

const keyReason =
  'The key belongs to the device of a person, who can download it while the device exists; with another server it is of no use.'

/** Parents before children. */
export const vaultTables: TenantTable[] = [
  {
    name: 'devices',
    inFile: {
      key: ['id'],
      columns: [
        'id',
        'user_id',
        'device_name',
        'device_type',
        'public_key',
        'server_id',
        'host_offset',
        'assigned_ip',
        'assigned_ipv6',
        'status',
        'suspended_by',
        'config_version',
        'last_handshake_at',
        'rx_bytes',
        'tx_bytes',
        'created_at',
        'revoked_at',
        'removal_confirmed_at',
      ],
    },
    leftOut: {
      private_key_sealed: keyReason,
      preshared_key_sealed: keyReason,
      is_peer_wanted: 'Between the service and its node.',
      peer_revision: 'Between the service and its node.',
      counted_epoch: 'The run of the agent that the counters below are of.',
      counted_rx: 'The counter of the node; what it counted is in rx_bytes.',
      counted_tx: 'The counter of the node; what it counted is in tx_bytes.',
    },
    onErasure: 'DELETED',
  },
  {
    name: 'vpn_sessions',
    inFile: {
      key: ['id'],
      columns: [
        'id',
        'device_id',
        'user_id',
        'server_id',
        'license_id',
        'license_key_hint',
        'status',
        'source',
        'connected_at',
        'disconnected_at',
        'end_reason',
        'is_use_owed',
        'is_use_due',
        'last_handshake_at',
        'rx_bytes',
        'tx_bytes',
        'moved_at',
      ],
    },
    leftOut: {},
    onErasure: 'DELETED',
  },
]
