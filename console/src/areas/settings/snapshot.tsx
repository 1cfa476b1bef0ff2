import { useState } from 'react'
import { atrium } from '../../doors/atrium.ts'
import { bytesText } from '../../parts/bytes.ts'
import { Field, useValues } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { ShowRequest } from '../../parts/show-request.tsx'
import { useAct } from '../../parts/use-act.ts'

/** A copy of the embedded database. With PostgreSQL the service refuses, and says what to do instead. */
export function Snapshot() {
  const [made, setMade] = useState('')
  const act = useAct(atrium.system.createSnapshot, ({ snapshot }) =>
    setMade(
      `${snapshot.folder}: ${bytesText(snapshot.bytes)}; writing paused for ${Math.round(snapshot.pausedMs)} ms.`,
    ),
  )
  const { values, field } = useValues({ folder: `snapshot-${new Date().toISOString().slice(0, 10)}` }, act.fieldErrors)
  return (
    <section className="panel panel-after" aria-labelledby="snapshot">
      <h2 id="snapshot">Snapshot of the embedded database</h2>
      <Form act={act} needs="OWNER" submit="Make a snapshot" onSubmit={() => void act.run(values)}>
        <Field
          label="Name of the folder"
          {...field('folder')}
          hint="Made beside the database, in the data folder."
          isRequired
        />
        {made && <p role="status">{made}</p>}
      </Form>
      <ShowRequest method="system.createSnapshot" input={values} />
    </section>
  )
}
