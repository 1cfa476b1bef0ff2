import { useState } from 'react'
import { atrium } from '../../doors/atrium.ts'
import { bytesText } from '../../parts/bytes.ts'
import { Field, useValues } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { ShowRequest } from '../../parts/show-request.tsx'
import { useAct } from '../../parts/use-act.ts'
import { words } from './words.ts'

/** A copy of the embedded database. With PostgreSQL the service refuses, and says what to do instead. */
export function Snapshot() {
  const [made, setMade] = useState('')
  const act = useAct(atrium.system.createSnapshot, ({ snapshot }) =>
    setMade(words.snapshotMade(snapshot.folder, bytesText(snapshot.bytes), Math.round(snapshot.pausedMs))),
  )
  const { values, field } = useValues({ folder: `snapshot-${new Date().toISOString().slice(0, 10)}` }, act.fieldErrors)
  return (
    <section className="panel panel-after" aria-labelledby="snapshot">
      <h2 id="snapshot">{words.snapshot}</h2>
      <Form act={act} needs="OWNER" submit={words.makeSnapshot} onSubmit={() => void act.run(values)}>
        <Field label={words.folderName} {...field('folder')} hint={words.folderHint} isRequired />
        {made && <p role="status">{made}</p>}
      </Form>
      <ShowRequest method="system.createSnapshot" input={values} />
    </section>
  )
}
