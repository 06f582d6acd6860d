import { describe, expect, it } from 'vitest'
import { fillMessage, formatSteps } from '../../../src/rules/run/rule-message.ts'

const values = { property: 'title', error: 'is missing', description: 'Titles', value: 'Pets', path: '#/info/title' }

describe('fillMessage', () => {
  it.each([
    ['{{property}} {{error}}', 'title is missing'],
    ['{{description}} at {{path}}: {{value}}', 'Titles at #/info/title: Pets'],
    ['{{ property }}', 'title'],
    ['{{unknown}}{{constructor}}', ''],
    ['#{{print("property")}}{{error}}', '"title" property is missing'],
    ["is #{{print('value')}}", 'is "Pets"'],
    ['#{{error}}', 'is missing'],
    ['#{{process.exit()}}', ''],
    ['{property}', '{property}'],
  ])('fills %s', (message, expected) => {
    expect(fillMessage(message, values)).toBe(expected)
  })

  it.each([
    [['a', 1, null, { b: 1 }], 'a,1,,[object Object]', 'Array[]'],
    [{ a: 1 }, '[object Object]', 'Object{}'],
    [undefined, 'undefined', 'undefined'],
    [null, 'null', 'null'],
  ])('formats %j as tools for rulesets do', (value, plain, printed) => {
    expect(fillMessage('{{value}}', { ...values, value })).toBe(plain)
    expect(fillMessage('#{{print("value")}}', { ...values, value })).toBe(printed)
  })

  it('describes a problem of the whole document', () => {
    expect(fillMessage('#{{print("property")}}is empty', { ...values, property: '' })).toBe('The document is empty')
  })

  it('does not replace placeholders in values', () => {
    expect(fillMessage('{{value}}', { ...values, value: '{{error}}' })).toBe('{{error}}')
  })

  it('cuts long messages', () => {
    expect(fillMessage('{{value}}', { ...values, value: 'a'.repeat(5_000) })).toHaveLength(1_001)
    expect(fillMessage('a'.repeat(5_000), values)).toHaveLength(1_001)
    expect(fillMessage('{{value}}'.repeat(10_000), { ...values, value: 'a'.repeat(1_000_000) })).toHaveLength(1_001)
  })
})

describe('formatSteps', () => {
  it.each([
    [['info', 'contact', 'name'], 'info.contact.name'],
    [['tags', 0, 'name'], 'tags[0].name'],
    [['responses', '200'], 'responses[200]'],
    [['my key', ''], "['my key']['']"],
  ])('formats %j', (steps, expected) => {
    expect(formatSteps(steps)).toBe(expected)
  })
})
