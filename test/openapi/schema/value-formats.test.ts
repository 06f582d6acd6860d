import { expect, test } from 'vitest'
import { hasFormat } from '../../../src/openapi/schema/json-schema.ts'

test.each<[format: string, valid: readonly (string | number)[], invalid: readonly (string | number)[]]>([
  ['date', ['2024-02-29', 3], ['2023-02-29', '2023-1-1']],
  ['time', ['10:00:00Z', '10:00:00+01:00', '23:59:60'], ['24:00:00', '10:00']],
  ['date-time', ['2020-01-01T10:00:00Z', '2020-01-01 10:00:00'], ['2020-01-01', '2020-01-01T25:00:00Z']],
  ['duration', ['P1D', 'PT1H', 'P2W'], ['P', 'PT', '1D']],
  ['uri', ['https://example.com/a', 'https://example.com/a?b#c', 'urn:a', 'http://[::1]/'], ['/a', 'example.com', 'https://a b']],
  [
    'uri-reference',
    ['https://user:pass@example.com:8080/a/b;c?d=e&f#g', 'http://[::1]:80/', 'https://example.com/Übersicht'],
    [],
  ],
  ['uri-reference', ['mailto:ann@example.com', 'urn:isbn:0451450523', '//example.com/a', '/a/b', 'a/b.yaml#/c/d', '../a'], []],
  [
    'uri-reference',
    ['#/paths/~1pets/get', '?a=b', 'a%20b', ''],
    ['a b', 'a<b', 'a%2', '1a:b', '#a#b', 'a\\b', '"a"', 'a|b', 'a\nb'],
  ],
  ['uri-reference', ['https://example.com'], ['https://{host}/a', 'https://exa mple.com', 'http://[::1']],
  ['uri-template', ['/a/{b}/{?c,d*}', ''], ['/a/{b', '/{}']],
  ['url', ['https://example.com/a'], ['mailto:a@b.co', 'https://a b']],
  ['email', ['a.b@c.de', "o'hara+pets@mail.example.co.uk"], ['a@b', 'a@', '@b.co', 'a b@c.de', 'a..b@c.de', 'a@-c.de', 'a c.de']],
  ['hostname', ['a', 'a-b.example'], ['-a', 'a_b', '']],
  ['ipv4', ['127.0.0.1'], ['127.0.0', '256.0.0.1']],
  ['ipv6', ['::', '::1', '1:2:3:4:5:6:7:8', '::ffff:1.2.3.4'], ['1', ':::', '1:2:3:4:5:6:7', '1::2::3']],
  ['regex', ['^a$'], ['(']],
  ['uuid', ['123e4567-e89b-12d3-a456-426614174000'], ['123e4567']],
  ['json-pointer', ['', '/a~1b'], ['a', '/~2']],
  ['byte', ['YQ==', ''], ['YQ', 'Y*==']],
  ['int32', [1, 'a'], [2 ** 31, 1.5]],
  ['int64', [2 ** 40], [1.5]],
  ['unknown', ['anything'], []],
])('checks the format %s', (format, valid, invalid) => {
  const matches = (value: string | number) => hasFormat(format, value)
  expect(valid.filter((value) => !matches(value))).toEqual([])
  expect(invalid.filter(matches)).toEqual([])
})
