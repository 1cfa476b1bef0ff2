import { type MediaType, svg } from './media-type.rules.ts'

// What a cleaned SVG may contain. Not listed: script, style sheets' imports, foreignObject, animations, handlers,
// anything that loads from elsewhere; `a` is written as what it holds, see `nameOf` of svg-clean.ts. https://www.w3.org/TR/SVG2/eltindex.html

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter((word) => word !== ''))

export const allowedElements = words(`
  svg g defs symbol use switch title desc path rect circle ellipse line polyline polygon text tspan textPath image
  linearGradient radialGradient stop pattern clipPath mask marker filter style
  feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap
  feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology
  feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence`)

export const allowedAttributes = words(`
  id class style lang viewBox preserveAspectRatio version width height x y x1 y1 x2 y2 cx cy r rx ry fx fy fr d points
  pathLength transform href offset gradientUnits gradientTransform spreadMethod patternUnits patternContentUnits
  patternTransform clipPathUnits maskUnits maskContentUnits markerUnits markerWidth markerHeight refX refY orient
  filterUnits primitiveUnits in in2 result type values mode operator k1 k2 k3 k4 stdDeviation edgeMode kernelMatrix
  order divisor bias targetX targetY preserveAlpha surfaceScale specularConstant specularExponent diffuseConstant
  azimuth elevation pointsAtX pointsAtY pointsAtZ limitingConeAngle scale xChannelSelector yChannelSelector tableValues
  slope intercept amplitude exponent radius baseFrequency numOctaves seed stitchTiles dx dy rotate textLength
  lengthAdjust startOffset method spacing side requiredExtensions systemLanguage role aria-label aria-hidden
  fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-miterlimit
  stroke-dasharray stroke-dashoffset color opacity display visibility overflow clip clip-path clip-rule mask filter
  marker marker-start marker-mid marker-end stop-color stop-opacity flood-color flood-opacity lighting-color
  font-family font-size font-size-adjust font-stretch font-style font-variant font-weight text-anchor text-decoration
  text-rendering dominant-baseline alignment-baseline baseline-shift letter-spacing word-spacing direction
  unicode-bidi writing-mode shape-rendering image-rendering color-interpolation color-interpolation-filters
  paint-order vector-effect mix-blend-mode isolation transform-origin`)

const imageData = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,[A-Za-z0-9+/=\s]*$/
const localTarget = /^#[A-Za-z_][\w.-]*$/
const localReference = /url\(\s*(["']?)#[A-Za-z_][\w.-]*\1\s*\)/gi

/** Whether a reference is allowed: to a part of the same SVG, or to an embedded image. */
export function isAllowedLink(element: string, value: string): boolean {
  const target = value.trim()
  return localTarget.test(target) || (element === 'image' && imageData.test(target))
}

/**
 * Whether a value or a style sheet loads and runs nothing. Escapes and comments are refused, too: they can hide `url(` and
 * `@import` from a pattern.
 */
export function isAllowedStyle(text: string): boolean {
  if (
    /\\|(?![\t\n\r])\p{Cc}|\/\*|@|<|expression\s*\(|javascript:|behavior\s*:|-moz-binding|image(?:-set)?\s*\(/iu.test(
      text,
    )
  )
    return false
  return !/url\s*\(/i.test(text.replace(localReference, ''))
}

/** The size in pixels from `width`, `height` and `viewBox` of the root; null where they give none. */
export function rootPixels({ width, height, viewBox }: { width?: string; height?: string; viewBox?: string }): {
  width: number | null
  height: number | null
} {
  const [, , boxWidth, boxHeight] = (viewBox ?? '').trim().split(/[\s,]+/)
  return { width: pixels(width) ?? pixels(boxWidth), height: pixels(height) ?? pixels(boxHeight) }
}

function pixels(text: string | undefined): number | null {
  const value = Number(/^\s*(\d{1,9}(?:\.\d{1,9})?)(?:px)?\s*$/.exec(text ?? '')?.[1] ?? 0)
  const whole = Math.round(value)
  return whole >= 1 && whole <= 1_000_000 ? whole : null
}

export function isSvg(type: Pick<MediaType, 'mimeType'>): boolean {
  return type.mimeType === svg.mimeType
}
