import type { AdminKey } from '@atrium/sdk/admin'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { atrium } from '../../doors/atrium.ts'
import { ActButton } from '../../parts/act-button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Choice, Field, useValues } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { Moment } from '../../parts/moment.tsx'
import { PagedList } from '../../parts/paged-list.tsx'
import { ShowRequest } from '../../parts/show-request.tsx'
import { Status } from '../../parts/status.tsx'
import { useAct } from '../../parts/use-act.ts'
import type { Secret } from './access.screen.tsx'

export const roles = [
  ['OWNER', 'Owner: may do everything'],
  ['EDITOR', 'Editor: reads everything, changes catalog and content'],
  ['VIEWER', 'Viewer: reads everything'],
] as const

type Props = { onSecret: (secret: Secret) => void }

export function AdminKeys({ onSecret }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const create = (
    <Button size="xs" onClick={() => setIsOpen(true)}>
      New admin key
    </Button>
  )
  return (
    <>
      <div className="filters">{create}</div>
      {isOpen && <NewAdminKeyDialog onSecret={onSecret} onClose={() => setIsOpen(false)} />}
      <PagedList
        label="Admin keys"
        queryKey={['adminKeys.list']}
        list={() => atrium.adminKeys.list()}
        rows={({ adminKeys }) => adminKeys}
        rowKey={({ id }) => id}
        empty={
          <Empty>
            Everybody uses the key of the installation. With a key for each person, the audit log says who did what.
          </Empty>
        }
        columns={[
          { title: 'Name', cell: ({ name }) => name },
          { title: 'Role', cell: ({ role }) => role },
          { title: 'Begins with', cell: ({ keyPrefix }) => <span className="mono">{keyPrefix}</span> },
          { title: 'Status', cell: ({ status }) => <Status value={status} /> },
          { title: 'Last used', cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} /> },
          { title: 'Actions', cell: (key) => <AdminKeyActs adminKey={key} onSecret={onSecret} /> },
        ]}
      />
      <ShowRequest method="adminKeys.list" />
    </>
  )
}

type ActsProps = { adminKey: AdminKey; onSecret: Props['onSecret'] }

function AdminKeyActs({ adminKey: { id: keyId, name, status }, onSecret }: ActsProps) {
  if (status !== 'ACTIVE') return <span className="dim">none</span>
  const rotate = async () => {
    const { adminKey } = await atrium.adminKeys.rotate({ keyId, overlapSeconds: 86_400 })
    onSecret({ label: 'Admin key', secret: adminKey.key, hint: `The new key of ${name}. It cannot be shown again.` })
  }
  return (
    <div className="head-acts">
      <ActButton
        needs="OWNER"
        act={rotate}
        confirm={{
          title: `Rotate the key of ${name}?`,
          text: 'A new key with the same name and role is made. The old one is accepted for another day.',
        }}
      >
        Rotate
      </ActButton>
      <ActButton
        needs="OWNER"
        isDangerous
        act={() => atrium.adminKeys.revoke({ keyId })}
        confirm={{
          title: `Revoke the key of ${name}?`,
          text: 'Whoever uses it is refused at once, and its sessions in this console end.',
        }}
      >
        Revoke
      </ActButton>
    </div>
  )
}

function NewAdminKeyDialog({ onSecret, onClose }: Props & { onClose: () => void }) {
  const act = useAct(atrium.adminKeys.create, ({ adminKey }) => {
    onSecret({
      label: 'Admin key',
      secret: adminKey.key,
      hint: `For ${adminKey.name}, with the role ${adminKey.role}. It cannot be shown again.`,
    })
    onClose()
  })
  const { values, field } = useValues({ name: '', role: 'VIEWER' }, act.fieldErrors)
  const input = { name: values.name, role: values.role as AdminKey['role'] }
  return (
    <Dialog title="New admin key" onClose={onClose}>
      <Form act={act} needs="OWNER" submit="Create key" onCancel={onClose} onSubmit={() => void act.run(input)}>
        <Field label="Name" {...field('name')} hint="Whose key it is." isRequired />
        <Choice label="Role" {...field('role')} options={roles} />
      </Form>
      <ShowRequest method="adminKeys.create" input={input} />
    </Dialog>
  )
}
