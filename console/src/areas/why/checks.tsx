import type { AccessVerdict } from '@atrium/sdk/admin'
import { Alert } from '@mantine/core'
import { linkProps } from '../../shell/address.ts'
import { Remedy } from './remedy.tsx'
import { WhoDidIt } from './who-did-it.tsx'

export type Ids = { keyId: string; product: string; userId: string; licenseId: string }

const titles: Record<string, string> = {
  KEY_KNOWN: 'The API key is known',
  KEY_ACTIVE: 'The API key is active',
  TENANT_ACTIVE: 'The tenant is active',
  PRODUCT_ON_KEY: 'The API key lists the product',
  USER_KNOWN: 'The user is known',
  USER_ACTIVE: 'The user is active',
  USER_PRODUCT: 'The user may use the product',
  LICENSE_KNOWN: 'The license is known',
  LICENSE_OF_TENANT: 'The license belongs to the tenant',
  LICENSE_PRODUCT: 'The license is for the product',
  LICENSE_NOT_REVOKED: 'The license is not revoked',
  LICENSE_NOT_EXPIRED: 'The license has not expired',
  LICENSE_USES_LEFT: 'The license has uses left',
}

export function Checks({ verdict: { allowed, checks }, ids }: { verdict: AccessVerdict; ids: Ids }) {
  const failed = checks.find(({ passed }) => passed === false)
  return (
    <>
      <Alert
        color={allowed ? 'green' : 'red'}
        variant="light"
        role="status"
        title={allowed ? 'Nothing of this is refused' : 'It is refused'}
      >
        {allowed
          ? 'Every check that these ids allow has passed.'
          : `This has failed: ${titles[failed?.check ?? ''] ?? failed?.check}. It is open below, with what mends it.`}
      </Alert>
      <ol className="checks">
        {checks.map(({ check, passed, code, detail }) => (
          <li key={check} data-passed={passed}>
            <span className="checks-state">{passed === null ? 'not checked' : passed ? 'passed' : 'failed'}</span>
            <div>
              <strong>{titles[check] ?? check}</strong>
              <p>{detail}</p>
              {passed === false && (
                <>
                  <p>
                    The caller gets <a href={`/docs/errors#${code}`}>{code}</a>.
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
        <a {...linkProps(`/audit?targetId=${ids.licenseId || ids.userId || ids.keyId}`)}>
          All that was done to {ids.licenseId ? 'the license' : ids.userId ? 'the user' : 'the API key'}
        </a>
        .
      </p>
    </>
  )
}
