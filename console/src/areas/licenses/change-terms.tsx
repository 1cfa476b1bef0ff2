import type { License } from '@atrium/sdk/admin'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { atrium } from '../../doors/atrium.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { ShowRequest } from '../../parts/show-request.tsx'
import { useAct } from '../../parts/use-act.ts'
import { TermFields, useTerms } from './license-terms.tsx'
import { words } from './words.ts'

export function ChangeTerms({ license }: { license: License }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setIsOpen(true)}>
        {words.changeTerms}
      </Button>
      {isOpen && <TermsDialog license={license} onClose={() => setIsOpen(false)} />}
    </>
  )
}

function TermsDialog({ license, onClose }: { license: License; onClose: () => void }) {
  const act = useAct(atrium.licenses.update, onClose)
  const initial = {
    plan: license.plan,
    maxUses: String(license.maxUses ?? ''),
    expiresOn: license.expiresAt ? localDate(new Date(license.expiresAt)) : '',
    label: license.label ?? '',
  }
  const { values, field, terms } = useTerms(initial, act.fieldErrors)
  // Only what was changed: another administrator may be changing the rest, and a date alone would cut off the time.
  const emptied = { maxUses: null, expiresAt: null, label: null, ...terms }
  const input = {
    key: license.id,
    ...(values.plan !== initial.plan && { plan: emptied.plan }),
    ...(values.maxUses !== initial.maxUses &&
      (terms.maxUses !== undefined || values.maxUses === '') && { maxUses: emptied.maxUses }),
    ...(values.expiresOn !== initial.expiresOn && { expiresAt: emptied.expiresAt }),
    ...(values.label !== initial.label && { label: emptied.label }),
  }
  return (
    <Dialog title={words.termsOf(license.keyHint)} onClose={onClose}>
      <Form act={act} needs="OWNER" submit={words.saveTerms} onCancel={onClose} onSubmit={() => void act.run(input)}>
        <TermFields field={field} none={{ uses: words.emptyUnlimited, expires: words.emptyNever }} />
      </Form>
      <ShowRequest method="licenses.update" input={input} />
    </Dialog>
  )
}

/** `2026-11-25`, where the person is. */
function localDate(date: Date): string {
  const two = (part: number) => String(part).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
