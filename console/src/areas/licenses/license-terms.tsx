import type { License } from '@atrium/sdk/admin'
import { Choice, Field, useValues } from '../../parts/fields.tsx'
import { plans } from './plans.ts'
import { words } from './words.ts'

/** They have no limit of uses: the service ignores one. */
const unlimitedPlans = ['PRO', 'ENTERPRISE']

/** What a license allows. Empty fields: as the plan says for a new license, and unlimited for one that exists. */
export function useTerms(initial: { plan: string; maxUses: string; expiresOn: string; label: string }, errors = {}) {
  const { values, field } = useValues(initial, errors)
  return {
    values,
    field,
    terms: {
      plan: values.plan as License['plan'],
      ...(values.maxUses && !unlimitedPlans.includes(values.plan) && { maxUses: Number(values.maxUses) }),
      // The end of the day, where the person is.
      ...(values.expiresOn && { expiresAt: new Date(`${values.expiresOn}T23:59:59`).toISOString() }),
      ...(values.label && { label: values.label }),
    },
  }
}

type TermFieldsProps = { field: ReturnType<typeof useTerms>['field']; none: { uses: string; expires: string } }

export function TermFields({ field, none }: TermFieldsProps) {
  return (
    <>
      <Choice label={words.plan} {...field('plan')} options={plans} />
      {unlimitedPlans.includes(field('plan').value) ? (
        <p className="dim">{words.unlimitedInPlan}</p>
      ) : (
        <Field label={words.uses} type="number" {...field('maxUses')} hint={none.uses} />
      )}
      <Field label={words.expiresOn} type="date" {...field('expiresOn')} hint={none.expires} />
      <Field label={words.label} {...field('label')} hint={words.labelHint} />
    </>
  )
}
