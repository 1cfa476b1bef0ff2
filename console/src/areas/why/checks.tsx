import type { AccessVerdict } from '@atrium/sdk/admin'
import { Alert } from '@mantine/core'
import { linkProps } from '../../shell/address.ts'
import { Rich } from '../../words/rich.tsx'
import type { Ids } from './ids.ts'
import { Remedy } from './remedy.tsx'
import { WhoDidIt } from './who-did-it.tsx'
import { words } from './words.ts'

const titles: Record<string, string> = words.checks

export function Checks({ verdict: { allowed, checks }, ids }: { verdict: AccessVerdict; ids: Ids }) {
  const failed = checks.find(({ passed }) => passed === false)
  return (
    <>
      <Alert
        color={allowed ? 'green' : 'red'}
        variant="light"
        role="status"
        title={allowed ? words.nothingRefused : words.isRefused}
      >
        {allowed ? words.allPassed : words.hasFailed(titles[failed?.check ?? ''] ?? failed?.check ?? '')}
      </Alert>
      <ol className="checks">
        {checks.map(({ check, passed, code, detail }) => (
          <li key={check} data-passed={passed}>
            <span className="checks-state">
              {passed === null ? words.notChecked : passed ? words.passed : words.failed}
            </span>
            <div>
              <strong>{titles[check] ?? check}</strong>
              <p>{detail}</p>
              {passed === false && (
                <>
                  <p>
                    <Rich text={words.callerGets} parts={{ code: () => <a href={`/docs/errors#${code}`}>{code}</a> }} />
                  </p>
                  <WhoDidIt check={check} ids={ids} />
                  <Remedy check={check} ids={ids} />
                </>
              )}
            </div>
          </li>
        ))}
      </ol>
      <p>
        <Rich
          text={ids.licenseId ? words.doneToLicense : ids.userId ? words.doneToUser : words.doneToKey}
          parts={{
            link: (text) => <a {...linkProps(`/audit?targetId=${ids.licenseId || ids.userId || ids.keyId}`)}>{text}</a>,
          }}
        />
      </p>
    </>
  )
}
