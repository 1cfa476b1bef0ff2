import { useState } from 'react'
import { atrium } from '../../doors/atrium.ts'
import { ActButton } from '../../parts/act-button.tsx'
import { CopyText } from '../../parts/copy-text.tsx'
import { Field } from '../../parts/fields.tsx'

type Checkpoint = { seq: number; hash: string }
type Verdict = { text: string; head: Checkpoint | null }

/** The whole chain, in as many requests as it takes. The head is to be kept elsewhere: it proves more the next time. */
export function VerifyChain() {
  const [typed, setTyped] = useState('')
  const [verdict, setVerdict] = useState<Verdict | null>(null)
  const checkpoint = checkpointIn(typed)
  const isMistyped = typed.trim() !== '' && checkpoint === null
  return (
    <section className="panel panel-after" aria-labelledby="verify-chain">
      <h2 id="verify-chain">Verify the chain</h2>
      <p>
        Proves that no entry was changed, removed or added. With a checkpoint of an earlier day, it also proves that
        this is still the same log.
      </p>
      <div className="form">
        <Field
          label="Checkpoint from earlier"
          value={typed}
          onChange={setTyped}
          hint="Number and hash, as they were shown then. May be empty."
          error={isMistyped ? 'A checkpoint is a number, a colon and 64 hexadecimal digits.' : undefined}
        />
        <div className="form-acts">
          <ActButton needs="OWNER" isOff={isMistyped} act={async () => setVerdict(await verify(checkpoint))}>
            Verify
          </ActButton>
        </div>
        <p role="status">{verdict?.text}</p>
      </div>
      {verdict?.head && (
        <CopyText
          label="New checkpoint: keep it outside of this service"
          text={`${verdict.head.seq}:${verdict.head.hash}`}
        />
      )}
    </section>
  )
}

function checkpointIn(text: string): Checkpoint | null {
  const [, seq, hash] = /^(\d{1,16}):([0-9a-f]{64})$/.exec(text.trim()) ?? []
  return seq && hash ? { seq: Number(seq), hash } : null
}

async function verify(checkpoint: Checkpoint | null): Promise<Verdict> {
  let checked = 0
  let head: Checkpoint | null = null
  let fromSeq: number | null = 1
  while (fromSeq !== null) {
    const answer: Awaited<ReturnType<typeof atrium.audit.verify>> = await atrium.audit.verify({
      fromSeq,
      ...(checkpoint && { checkpoint }),
    })
    checked += answer.checked
    if (!answer.ok)
      return {
        text: `The log was tampered with (${answer.reason})${answer.firstBadSeq === null ? '' : `, at entry ${answer.firstBadSeq}`}.`,
        head: null,
      }
    head = answer.head
    fromSeq = answer.nextSeq
  }
  const continued = checkpoint ? `, and the log continues the one of the checkpoint` : ''
  return { text: `All ${new Intl.NumberFormat().format(checked)} entries are as they were written${continued}.`, head }
}
