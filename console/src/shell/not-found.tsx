import { Anchor } from '@mantine/core'
import { ScreenHead } from '../parts/screen-head.tsx'
import { linkProps } from './address.ts'

export function NotFound() {
  return (
    <>
      <ScreenHead title="There is no such screen" />
      <p>
        The address may be mistyped. <Anchor {...linkProps('/')}>Go to Home</Anchor>.
      </p>
    </>
  )
}
