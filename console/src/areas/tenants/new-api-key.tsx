import { Button, Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { atrium } from '../../doors/atrium.ts'
import { Answer } from '../../parts/answer.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field, useValues } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { ShowRequest } from '../../parts/show-request.tsx'
import { useAct } from '../../parts/use-act.ts'
import { words } from './words.ts'

type Props = { tenantId: string; onCreated: (key: string) => void }

export function NewApiKey(props: Props) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className="filters">
      <Button size="xs" onClick={() => setIsOpen(true)}>
        {words.newApiKey}
      </Button>
      {isOpen && <NewApiKeyDialog {...props} onClose={() => setIsOpen(false)} />}
    </div>
  )
}

function NewApiKeyDialog({ tenantId, onCreated, onClose }: Props & { onClose: () => void }) {
  const [products, setProducts] = useState<string[]>([])
  const act = useAct(atrium.apiKeys.create, ({ apiKey }) => {
    onCreated(apiKey.key)
    onClose()
  })
  const { values, field } = useValues({ name: 'app' }, act.fieldErrors)
  const input = { tenantId, ...values, products }
  return (
    <Dialog title={words.newApiKey} onClose={onClose}>
      <Form act={act} needs="OWNER" submit={words.createKey} onCancel={onClose} onSubmit={() => void act.run(input)}>
        <Field label={words.name} {...field('name')} hint={words.keyNameHint} isRequired />
        <ProductChoice value={products} onChange={setProducts} error={act.fieldErrors['products']} />
      </Form>
      <ShowRequest method="apiKeys.create" input={input} />
    </Dialog>
  )
}

type ChoiceProps = { value: string[]; onChange: (value: string[]) => void; error: string | undefined }

function ProductChoice({ value, onChange, error }: ChoiceProps) {
  const products = useQuery({
    queryKey: ['catalog.listAllProducts'],
    queryFn: () => atrium.catalog.listAllProducts({ limit: 100 }).page(),
  })
  return (
    <Answer query={products}>
      {({ products }) => (
        <Checkbox.Group
          label={words.products}
          description={words.productsHint}
          value={value}
          onChange={onChange}
          error={error}
        >
          {products.map(({ slug, name }) => (
            <Checkbox key={slug} value={slug} label={`${name} (${slug})`} className="checkbox" />
          ))}
        </Checkbox.Group>
      )}
    </Answer>
  )
}
