import { Button } from '@mantine/core'
import { useState } from 'react'
import { atrium } from '../../doors/atrium.ts'
import type { Role } from '../../doors/session.ts'
import { ActButton } from '../../parts/act-button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Choice, useValues } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { Moment } from '../../parts/moment.tsx'
import { PagedList } from '../../parts/paged-list.tsx'
import { ShowRequest } from '../../parts/show-request.tsx'
import { Status } from '../../parts/status.tsx'
import { useAct } from '../../parts/use-act.ts'
import { roles } from './admin-keys.tsx'
import type { Secret } from './secret.ts'
import { words } from './words.ts'

type Props = { onSecret: (secret: Secret) => void }

export function SignInLinks({ onSecret }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <div className="filters">
        <Button size="xs" onClick={() => setIsOpen(true)}>
          {words.newLink}
        </Button>
      </div>
      {isOpen && <NewLinkDialog onSecret={onSecret} onClose={() => setIsOpen(false)} />}
      <PagedList
        label={words.signInLinks}
        queryKey={['signInLinks.list']}
        list={() => atrium.signInLinks.list()}
        rows={({ signInLinks }) => signInLinks}
        rowKey={({ id }) => id}
        empty={<Empty>{words.noLinks}</Empty>}
        columns={[
          { title: words.role, cell: ({ role }) => role },
          { title: words.status, cell: ({ status }) => <Status value={status} /> },
          { title: words.expires, cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
          { title: words.actions, cell: ({ id, status }) => status === 'WAITING' && <Delete linkId={id} /> },
        ]}
      />
      <ShowRequest method="signInLinks.list" />
    </>
  )
}

function Delete({ linkId }: { linkId: string }) {
  return (
    <ActButton needs="OWNER" act={() => atrium.signInLinks.delete({ linkId })}>
      {words.delete}
    </ActButton>
  )
}

function NewLinkDialog({ onSecret, onClose }: Props & { onClose: () => void }) {
  const act = useAct(atrium.signInLinks.create, ({ signInLink }) => {
    onSecret({
      label: words.signInLink,
      secret: signInLink.url ?? '',
      hint: words.linkHint,
    })
    onClose()
  })
  const { values, field } = useValues({ role: 'VIEWER' }, act.fieldErrors)
  const input = { role: values.role as Role }
  return (
    <Dialog title={words.newSignInLink} onClose={onClose}>
      <Form act={act} needs="OWNER" submit={words.createLink} onCancel={onClose} onSubmit={() => void act.run(input)}>
        <Choice label={words.role} {...field('role')} options={roles} />
      </Form>
      <ShowRequest method="signInLinks.create" input={input} />
    </Dialog>
  )
}
