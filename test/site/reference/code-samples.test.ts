import { afterAll, beforeAll, expect, test } from 'vitest'
import type { HttpRequest } from '../../../src/playground/request/http-request.ts'
import { allSamples } from '../../../src/playground/samples/all-samples.ts'
import type { SampleLanguage } from '../../../src/playground/samples/sample-languages.ts'
import { readSettings } from '../../../src/site/plan/read-settings.ts'
import type { ApiSettings } from '../../../src/site/plan/types.ts'
import { makeSampleRequest, toCodeSamples } from '../../../src/site/reference/code-samples.ts'
import { isSoak } from '../../support/properties.ts'
import { canRunSamples, runSamples } from '../../support/run-samples.ts'
import { serveEcho } from '../../support/serve-echo.ts'
import { documentOf, referenceOf } from './reference-of.ts'

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: what other languages fill in
/** Values that break out of quotes, read files, or are parsed as another notation in some language. */
const hostile = [
  `it's "quoted" \\ and \\' and \\"`,
  '$(touch hacked) `touch hacked` ${HOME} $HOME !! %HOME%',
  "'; touch hacked; '",
  '"; touch hacked; "',
  "'; require('fs').writeFileSync('hacked', ''); '",
  '${require("fs").writeFileSync("hacked", "")}',
  '" + __import__("os").system("touch hacked") + "',
  '{os.system("touch hacked")} %s %(a)s {0}',
  '@/etc/hostname',
  '</etc/hostname',
  'a=b&c=d#e?f/g;h,i+j%20k%',
  'grüße 日本語 🦉 \u2028 end',
  '[1-3]{a,b}*?~',
  '-X DELETE',
  '<token>|&;',
]
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: what other languages fill in
const withBreaks = [...hostile, 'two\nlines', 'tab\there', '  blanks around  ', "'''", '"""', '```', '*/ // #']
// Java takes ten seconds to start, so it only runs in soak tests.
const slow: readonly SampleLanguage[] = isSoak ? ['java'] : []
const languages: readonly SampleLanguage[] = ['bash', 'javascript', 'typescript', 'python', 'ruby', 'php', ...slow]

let echo: Awaited<ReturnType<typeof serveEcho>>
beforeAll(async () => {
  echo = await serveEcho()
})
afterAll(() => echo.close())

/** Creates a request for an operation with these values, sent to the test server. */
async function requestOf(operation: object, path = '/a'): Promise<HttpRequest> {
  const files = {
    'a.json': documentOf({}, { servers: [{ url: echo.address }], paths: { [path]: { post: operation } } }, '3.2.0'),
  }
  const described = (await referenceOf(files)).describe(`POST ${path}`)?.operation
  if (!described) throw new Error('no operation')
  return makeSampleRequest(described, 'all')
}

const parameter = (location: string, name: string, example: unknown, more: object = {}) => ({
  name,
  in: location,
  required: true,
  schema: {},
  example,
  ...more,
})
const body = (mediaType: string, example: unknown, more: object = {}) => ({
  requestBody: { content: { [mediaType]: { example, ...more } } },
})

/** Runs the samples of several requests at once. The results are in the same order. */
async function run(language: SampleLanguage, requests: readonly HttpRequest[]) {
  const before = echo.arrived.length
  const result = await runSamples(language, requests.map(allSamples[language] ?? (() => '')))
  return { ...result, arrived: echo.arrived.slice(before) }
}

test.each(languages.filter(canRunSamples))(
  'what samples in %s send is what was meant, whatever the values are',
  async (language) => {
    // The Java client does not send non-ASCII characters in headers.
    const inHeaders = hostile.filter((value) => language !== 'java' || /^[\x20-\x7e]*$/.test(value))
    const objects = Object.fromEntries(
      withBreaks.map((value, index) => [`${value}`, [value, index, true, null, { [value]: {} }]]),
    )
    const requests = [
      await requestOf(
        { parameters: hostile.map((value, index) => parameter('path', `p${index}`, value)) },
        `/${hostile.map((_, index) => `{p${index}}`).join('/')}`,
      ),
      await requestOf({ parameters: withBreaks.map((value, index) => parameter('query', `${value}${index}`, value)) }),
      await requestOf({ parameters: inHeaders.map((value, index) => parameter('header', `X-H${index}`, value)) }),
      await requestOf({
        parameters: [
          parameter('header', 'X-Two', 'a\r\nX-Three: b'),
          parameter('header', 'X Bad\r\nX-Four', 'c'),
          parameter('header', 'X-Empty', ''),
        ],
      }),
      await requestOf(body('application/json', { ...objects, __proto__x: 1 })),
      await requestOf(body('application/vnd.api+json', ['@a', 1.5, -0.25, 1e21])),
      ...(await Promise.all(withBreaks.map((value) => requestOf(body('text/plain', value))))),
      await requestOf(
        body('application/x-www-form-urlencoded', Object.fromEntries(withBreaks.map((value) => [`k${value}`, value]))),
      ),
      await requestOf(body('multipart/form-data', Object.fromEntries(withBreaks.map((value, index) => [`k${index}`, value])))),
      await requestOf(body('multipart/form-data', { meta: { 'a"b;c\\': [`'"\\;,`] } })),
      await requestOf({}, '/{a}'),
    ]
    const { code, errors, files, arrived } = await run(language, requests)
    expect({ code, errors: code === 0 ? '' : errors, files }).toEqual({ code: 0, errors: '', files: [] })
    expect(arrived).toHaveLength(requests.length)
    const [path, query, headers, split, json, other, ...rest] = arrived
    expect(path?.path).toEqual(hostile)
    expect(query?.query).toEqual(withBreaks.map((value, index) => [`${value}${index}`, value]))
    expect(inHeaders.map((_, index) => headers?.headers.get(`x-h${index}`))).toEqual(inHeaders)
    expect(split?.headers.get('x-two')).toBe('a X-Three: b')
    expect(split?.headers.get('x-empty')).toBe('')
    expect([split?.headers.has('x-three'), split?.headers.has('x-four')]).toEqual([false, false])
    expect(JSON.parse(json?.body ?? '')).toEqual({ ...objects, __proto__x: 1 })
    expect(json?.headers.get('content-type')).toBe('application/json')
    expect(JSON.parse(other?.body ?? '')).toEqual(['@a', 1.5, -0.25, 1e21])
    const texts = rest.splice(0, withBreaks.length)
    expect(texts.map((one) => one.body)).toEqual(withBreaks)
    const [form, parts, mixed, unfilled] = rest
    // curl sends braces as they are, and the others encode them. Servers read the same path.
    expect(decodeURIComponent(unfilled?.target ?? '')).toBe('/{a}')
    expect(form?.fields).toEqual(withBreaks.map((value) => [`k${value}`, value]))
    expect(parts?.fields.map(([, value]) => value.replaceAll('\r\n', '\n'))).toEqual(withBreaks)
    expect(JSON.parse(mixed?.fields[0]?.[1] ?? '')).toEqual({ 'a"b;c\\': [`'"\\;,`] })
  },
)

test('escapes an untrusted method', async () => {
  const additional = { 'PURGE; touch hacked': { responses: {} }, PURGE: { responses: {} } }
  const files = {
    'a.json': documentOf(
      {},
      { servers: [{ url: echo.address }], paths: { '/a': { additionalOperations: additional } } },
      '3.2.0',
    ),
  }
  const reference = await referenceOf(files)
  const methods = [...reference.operations.keys()].flatMap((target) => {
    const described = reference.describe(target)?.operation
    return described ? [makeSampleRequest(described, 'all').method] : []
  })
  expect(methods).toEqual(['GET', 'PURGE'])
})

test('samples look hand-written', async () => {
  const request = await requestOf(
    {
      ...body('application/json', { title: "It can't", labels: ['bug'], draft: false, milestone: null, 'a-b': {} }),
      parameters: [parameter('header', 'X-Trace', 'abc')],
      responses: { 201: { description: 'Created', content: { 'application/json': {} } } },
    },
    '/issues',
  )
  const samples = toCodeSamples(
    { codeSamples: [] },
    { ...request, url: 'https://api.example.com/issues' },
    { languages: ['bash', 'javascript', 'python', 'go'], autogenerate: true },
  )
  expect(samples.map(({ label, source }) => `# ${label}\n${source}`).join('\n\n')).toMatchInlineSnapshot(`
    "# curl
    curl -X POST https://api.example.com/issues \\
      -H 'Accept: application/json' \\
      -H 'X-Trace: abc' \\
      -H 'Content-Type: application/json' \\
      -d '{
        "title": "It can'\\''t",
        "labels": [
          "bug"
        ],
        "draft": false,
        "milestone": null,
        "a-b": {}
      }'

    # JavaScript
    const response = await fetch('https://api.example.com/issues', {
      method: 'POST',
      headers: {
        Accept: 'application/json',
        'X-Trace': 'abc',
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({
        title: 'It can\\'t',
        labels: ['bug'],
        draft: false,
        milestone: null,
        'a-b': {},
      }),
    })
    console.log(response.status, await response.text())

    # Python
    import requests

    response = requests.post(
        "https://api.example.com/issues",
        headers={
            "Accept": "application/json",
            "X-Trace": "abc",
            "Content-Type": "application/json",
        },
        json={
            "title": "It can't",
            "labels": ["bug"],
            "draft": False,
            "milestone": None,
            "a-b": {},
        },
    )
    print(response.status_code, response.text)

    # Go
    body := strings.NewReader(\`{
      "title": "It can't",
      "labels": [
        "bug"
      ],
      "draft": false,
      "milestone": null,
      "a-b": {}
    }\`)
    req, err := http.NewRequest("POST",
    	"https://api.example.com/issues", body)
    if err != nil {
    	return err
    }
    req.Header.Set("Accept", "application/json")
    req.Header.Set("X-Trace", "abc")
    req.Header.Set("Content-Type", "application/json")
    res, err := http.DefaultClient.Do(req)
    if err != nil {
    	return err
    }
    defer res.Body.Close()
    data, err := io.ReadAll(res.Body)
    if err != nil {
    	return err
    }
    fmt.Println(res.Status, string(data))"
  `)
})

const text = { type: 'string' }
const file = { ...text, format: 'binary' }

test.each<[schema: object, contentType: string | undefined, part: string]>([
  [{ ...text, contentEncoding: 'binary', contentMediaType: 'text/csv' }, undefined, 'file'],
  [{ ...text, contentEncoding: '8bit', contentMediaType: 'image/png' }, undefined, 'file'],
  [{ ...text, format: 'file' }, undefined, 'file'],
  [{ type: 'file' }, undefined, 'file'],
  [{ contentMediaType: 'image/png' }, undefined, 'file'],
  [{ anyOf: [file, { type: 'array', items: file }] }, undefined, 'file'],
  [{ description: 'Any bytes' }, undefined, 'file'],
  [{ type: 'array', items: {} }, undefined, 'file'],
  [text, 'application/x-own, image/*', 'file application/x-own'],
  [{ ...text, contentEncoding: 'base64', contentMediaType: 'image/png' }, undefined, 'c3RyaW5n'],
  [{ ...text, contentMediaType: 'application/json' }, undefined, '{}'],
  [{ example: 'hello' }, undefined, 'hello'],
  [text, 'image/svg+xml', 'string image/svg+xml'],
  [text, 'application/json, text/plain', 'string text/plain'],
  [text, 'application/json', '"string" application/json'],
  [{ type: 'array', items: text }, undefined, 'string'],
  [{ type: 'array', items: { type: 'array', items: text } }, undefined, '["string"] application/json'],
  [{ type: 'object' }, 'text/plain, application/json', '{} application/json'],
])('sends the part %j with the media type %s as %s', async (schema, contentType, part) => {
  const form = { schema: { type: 'object', required: ['f'], properties: { f: schema } }, encoding: { f: { contentType } } }
  const request = await requestOf({ requestBody: { required: true, content: { 'multipart/form-data': form } } })
  const parts = request.body?.kind === 'multipart' ? request.body.parts : []
  const shown = parts.map((one) => [one.file ? 'file' : one.value, one.contentType].filter(Boolean).join(' '))
  expect(shown).toEqual([part])
})

test.each(['multipart/form-data', 'application/x-www-form-urlencoded'])(
  'sends an example in JSON as fields of %s',
  async (mediaType) => {
    const { body: sent } = await requestOf(body(mediaType, '{"id": 12345678901234567890}', { schema: { type: 'object' } }))
    const fields = sent?.kind === 'multipart' ? sent.parts : sent?.kind === 'form' ? sent.fields : []
    expect(fields.map(({ name, value }) => `${name}=${value}`)).toEqual(['id=12345678901234567890'])
  },
)

test('selects samples by language and setting', async () => {
  const request = await requestOf({})
  const own = [{ language: 'shell', label: 'CLI', source: 'pets list' }]
  const labels = (languages: ApiSettings['examples']['languages'], autogenerate = true, codeSamples = own) =>
    toCodeSamples({ codeSamples }, request, { languages, autogenerate }).map(({ label }) => label)
  expect(labels(undefined)).toEqual(['CLI', 'JavaScript', 'Python', 'Go', 'Ruby', 'PHP', 'Java', 'C#'])
  const named = (...languages: readonly string[]) =>
    labels(readSettings({ api: { examples: { languages } } }).api.examples.languages, true, [])
  expect(named('go', 'cURL', 'rb', 'Node.js', 'golang', 'cobol')).toEqual(['Go', 'curl', 'Ruby', 'Node.js'])
  expect(named('cobol', 'constructor')[0]).toBe('curl')
  expect(labels(undefined, false)).toEqual(['CLI'])
})
