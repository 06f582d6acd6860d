import { expect, test } from 'vitest'
import { parseCurl } from '../../../../src/site/playground/tools/parse-curl.ts'

const read = (command: string) => {
  const found = parseCurl(command)
  if ('problem' in found) return found.problem
  const { method, url, headers, body, fields, user, ignored } = found
  const shown = [...headers, ...fields].map(({ name, value }) => `${name}: ${value}`)
  return [
    `${method} ${url}`,
    ...shown,
    ...(user === undefined ? [] : [`user ${user}`]),
    ...(body === undefined ? [] : [body]),
    ...ignored,
  ]
}

test.each<[string, string | readonly string[]]>([
  ['curl https://a.test/x', ['GET https://a.test/x']],
  ['$ curl -sSL a.test', ['GET a.test']],
  ['/usr/bin/curl -XPUT a.test', ['PUT a.test']],
  ['curl --request=patch --url a.test', ['PATCH a.test']],
  ['curl a.test -d a=1 -d b=2', ['POST a.test', 'a=1&b=2']],
  ['curl -G a.test?x=1 -d a=1 --data-urlencode "b=c d"', ['GET a.test?x=1&a=1&b=c%20d']],
  ['curl a.test --json \'{"a": 1}\'', ['POST a.test', 'Content-Type: application/json', '{"a": 1}']],
  ["curl a.test -H 'X-A: it'\\''s' -H \"X-B: \\\"q\\\" \\$x\"", ['GET a.test', "X-A: it's", 'X-B: "q" $x']],
  ["curl a.test --data-raw $'a\\nb\\u00e9\\''", ['POST a.test', "a\nb\u00e9'"]],
  ['curl \\\n  a.test \\\r\n -I', ['HEAD a.test']],
  ['curl ^\n a.test', ['GET a.test']],
  ['curl -u ann:pass a.test -F note=hi -F file=@cat.png', ['POST a.test', 'note: hi', 'file: @cat.png', 'user ann:pass']],
  ['curl a.test -d @body.json --cacert c.pem -o out --compressed', ['POST a.test', '--data @body.json', '--cacert']],
  ['curl a.test --data-raw @x', ['POST a.test', '@x']],
  ['curl a.test -b a=1 -A me', ['GET a.test', 'Cookie: a=1', 'User-Agent: me']],
  ['curl a.test | jq .', ['GET a.test']],
  ['curl a.test; rm -rf /', ['GET a.test;']],
  ['curl "$(rm -rf /)"', ['GET $(rm -rf /)']],
  ["curl 'a.test", 'A quote is not closed'],
  ['wget a.test', 'Expected a command that starts with `curl`'],
  ['', 'Expected a command that starts with `curl`'],
  ['curl -d x', 'The command has no URL'],
  ['curl a.test --__proto__ --constructor -', ['GET a.test']],
])('reads %j', (command, expected) => {
  expect(read(command)).toEqual(typeof expected === 'string' ? expected : expected)
})

test('reads long commands in linear time', () => {
  for (const text of ["'", '"\\', "$'\\", '\\', '$', ' ', "a'b'", '-X ']) {
    // Quadratic time would exceed the time limit of tests.
    expect(parseCurl(`curl ${text.repeat(Math.floor(990_000 / text.length))}`)).toBeDefined()
  }
  expect(parseCurl(`curl ${'a'.repeat(1_000_001)}`)).toEqual({ problem: 'The command is longer than 1 MB' })
})
