import { Anchor } from '@mantine/core'
import { ScreenHead } from '../parts/screen-head.tsx'
import { Rich } from '../words/rich.tsx'
import { linkProps } from './address.ts'
import { words } from './words.ts'

export function NotFound() {
  return (
    <>
      <ScreenHead title={words.noSuchScreen} />
      <p>
        <Rich text={words.mistyped} parts={{ link: (text) => <Anchor {...linkProps('/')}>{text}</Anchor> }} />
      </p>
    </>
  )
}
