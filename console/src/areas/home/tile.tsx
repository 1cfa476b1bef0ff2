import { linkProps } from '../../shell/address.ts'

const number = new Intl.NumberFormat()

export function Tile(props: { title: string; value: number; to: string; isBad?: boolean }) {
  const { title, value, to, isBad = false } = props
  return (
    <a className={`tile${isBad ? ' tile-bad' : ''}`} {...linkProps(to)}>
      <span>{title}</span>
      <strong>{number.format(value)}</strong>
    </a>
  )
}
