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
import type { Secret } from './secret.ts'
import { words } from './words.ts'

export const roles = [
  ['OWNER', words.owner],
  ['EDITOR', words.editor],
  ['VIEWER', words.viewer],
] as const

type Props = { onSecret: (secret: Secret) => void }

export function AdminKeys({ onSecret }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const create = (
    <Button size="xs" onClick={() => setIsOpen(true)}>
      {words.newAdminKey}
    </Button>
  )
  return (
    <>
      <div className="filters">{create}</div>
      {isOpen && <NewAdminKeyDialog onSecret={onSecret} onClose={() => setIsOpen(false)} />}
      <PagedList
        label={words.adminKeys}
        queryKey={['adminKeys.list']}
        list={() => atrium.adminKeys.list()}
        rows={({ adminKeys }) => adminKeys}
        rowKey={({ id }) => id}
        empty={<Empty>{words.noAdminKeys}</Empty>}
        columns={[
          { title: words.name, cell: ({ name }) => name },
          { title: words.role, cell: ({ role }) => role },
          { title: words.beginsWith, cell: ({ keyPrefix }) => <span className="mono">{keyPrefix}</span> },
          { title: words.status, cell: ({ status }) => <Status value={status} /> },
          { title: words.lastUsed, cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} /> },
          { title: words.actions, cell: (key) => <AdminKeyActs adminKey={key} onSecret={onSecret} /> },
        ]}
      />
      <ShowRequest method="adminKeys.list" />
    </>
  )
}

type ActsProps = { adminKey: AdminKey; onSecret: Props['onSecret'] }

function AdminKeyActs({ adminKey: { id: keyId, name, status }, onSecret }: ActsProps) {
  if (status !== 'ACTIVE') return <span className="dim">{words.none}</span>
  const rotate = async () => {
    const { adminKey } = await atrium.adminKeys.rotate({ keyId, overlapSeconds: 86_400 })
    onSecret({ label: words.adminKey, secret: adminKey.key, hint: words.rotatedKeyHint(name) })
  }
  return (
    <div className="head-acts">
      <ActButton
        needs="OWNER"
        act={rotate}
        confirm={{
          title: words.rotateKeyOf(name),
          text: words.rotateKeyEffect,
        }}
      >
        {words.rotate}
      </ActButton>
      <ActButton
        needs="OWNER"
        isDangerous
        act={() => atrium.adminKeys.revoke({ keyId })}
        confirm={{
          title: words.revokeKeyOf(name),
          text: words.revokeKeyEffect,
        }}
      >
        {words.revoke}
      </ActButton>
    </div>
  )
}

function NewAdminKeyDialog({ onSecret, onClose }: Props & { onClose: () => void }) {
  const act = useAct(atrium.adminKeys.create, ({ adminKey }) => {
    onSecret({
      label: words.adminKey,
      secret: adminKey.key,
      hint: words.newAdminKeyHint(adminKey.name, adminKey.role),
    })
    onClose()
  })
  const { values, field } = useValues({ name: '', role: 'VIEWER' }, act.fieldErrors)
  const input = { name: values.name, role: values.role as AdminKey['role'] }
  return (
    <Dialog title={words.newAdminKey} onClose={onClose}>
      <Form act={act} needs="OWNER" submit={words.createKey} onCancel={onClose} onSubmit={() => void act.run(input)}>
        <Field label={words.name} {...field('name')} hint={words.keyNameHint} isRequired />
        <Choice label={words.role} {...field('role')} options={roles} />
      </Form>
      <ShowRequest method="adminKeys.create" input={input} />
    </Dialog>
  )
}
