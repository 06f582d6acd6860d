import { expect, test } from 'vitest'
import { findSvgRisk } from '../../../src/site/plan/file-types.ts'

const faultOf = (text: string) => findSvgRisk(new TextEncoder().encode(text))

test.each([
  '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/><a href="https://example.com"><text>one on = two</text></a></svg>',
  '<?xml version="1.0"?><!DOCTYPE svg [ <!ENTITY ns_svg "http://www.w3.org/2000/svg"> ]><svg xmlns="&ns_svg;"/>',
  '<svg><style>.a{fill:red}</style><foreignObject><div xmlns="http://www.w3.org/1999/xhtml">label</div></foreignObject></svg>',
  '<svg><image href="data:image/png;base64,AAAA"/><use href="#a"/></svg>',
  '<svg><text>described</text></svg>',
])('accepts %s', (text) => {
  expect(faultOf(text)).toBeUndefined()
})

test.each([
  '<svg><script>alert(1)</script></svg>',
  '<svg><SCRIPT href="x.js"/></svg>',
  '<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:script>alert(1)</s:script></s:svg>',
  '<svg onload="alert(1)"/>',
  '<svg><path/onclick=alert(1) /></svg>',
  '<svg><a href="javascript:alert(1)"/></svg>',
  '<svg><a href="java&#10;script:alert(1)"/></svg>',
  '<svg><a href="&#x6A;avascript:alert(1)"/></svg>',
  '<svg><set attributeName="onload" to="alert(1)"/></svg>',
  '<svg><a href="data:text/html,<b>x"/></svg>',
  '<svg><use href="data:image/svg+xml;base64,AAAA"/></svg>',
  '<svg><foreignObject><iframe src="https://example.com"/></foreignObject></svg>',
  '<?xml-stylesheet href="x.xsl" type="text/xsl"?><svg/>',
  '<!DOCTYPE svg [ <!ENTITY a "java"> <!ENTITY b "script:"> ]><svg><a href="&a;&b;alert(1)"/></svg>',
])('rejects %s', (text) => {
  expect(faultOf(text)).toMatch(/^it /)
})

test('rejects other encodings, which could hide code', () => {
  expect(findSvgRisk(new Uint8Array([0xff, 0xfe, 0x3c, 0]))).toBe('it is not UTF-8 text')
})
