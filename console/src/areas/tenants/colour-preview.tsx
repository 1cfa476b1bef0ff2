import { contrast, contrastMin, parseColour, readableColour } from '../../parts/readable-colour.ts'
import { words } from './words.ts'

const grounds = [
  [words.lightTheme, '#ffffff'],
  [words.darkTheme, '#1d2027'],
] as const

/** The colour of a tenant as text and as a button, in both themes. What could not be read is moved until it can. */
export function ColourPreview({ colour, name }: { colour: string; name: string }) {
  if (parseColour(colour) === null) return null
  return (
    <div className="colours">
      {grounds.map(([theme, ground]) => {
        const shown = readableColour(colour, ground)
        const isMoved = contrast(colour, ground) < contrastMin
        return (
          <figure key={theme} style={{ background: ground, color: readableColour('#767d8f', ground) }}>
            <strong style={{ color: shown }}>{name}</strong>
            <span className="colours-button" style={{ background: shown, color: readableColour(ground, shown) }}>
              {words.continue}
            </span>
            <figcaption>{isMoved ? words.tooFaint(shown, theme) : words.shownAsItIs(theme)}</figcaption>
          </figure>
        )
      })}
    </div>
  )
}
