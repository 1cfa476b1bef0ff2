import { useState } from 'react'
import { atrium } from '../../doors/atrium.ts'
import { ActButton } from '../../parts/act-button.tsx'
import { CopyText } from '../../parts/copy-text.tsx'
import { Field } from '../../parts/fields.tsx'
import { words } from './words.ts'

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
      <h2 id="verify-chain">{words.verifyChain}</h2>
      <p>{words.verifyChainHint}</p>
      <div className="form">
        <Field
          label={words.checkpointFromEarlier}
          value={typed}
          onChange={setTyped}
          hint={words.checkpointHint}
          error={isMistyped ? words.mistypedCheckpoint : undefined}
        />
        <div className="form-acts">
          <ActButton needs="OWNER" isOff={isMistyped} act={async () => setVerdict(await verify(checkpoint))}>
            {words.verify}
          </ActButton>
        </div>
        <p role="status">{verdict?.text}</p>
      </div>
      {verdict?.head && <CopyText label={words.newCheckpoint} text={`${verdict.head.seq}:${verdict.head.hash}`} />}
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
        text:
          answer.firstBadSeq === null
            ? words.tampered(answer.reason)
            : words.tamperedAt(answer.reason, answer.firstBadSeq),
        head: null,
      }
    head = answer.head
    fromSeq = answer.nextSeq
  }
  const entries = new Intl.NumberFormat().format(checked)
  return { text: checkpoint ? words.unchangedSince(entries) : words.unchanged(entries), head }
}
