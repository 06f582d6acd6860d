import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { fileSettings, formatSettingsTable, toVariable } from '../../src/app/base/config/settings.ts'
import { problems } from '../../src/app/http/problem-details.ts'
import { startTestApp } from './support/test-app.ts'

const root = join(import.meta.dirname, '../..')
describe('the documentation', () => {
  test('docs/self-hosting.md contains the current table of settings', () => {
    const text = readFileSync(join(root, 'docs/self-hosting.md'), 'utf8')
    expect(/<!-- settings-start -->\n([\s\S]*?)<!-- settings-end -->/.exec(text)?.[1]?.trim()).toBe(formatSettingsTable())
  })

  test('the keys of the settings file are the variables in camel case, as docs/self-hosting.md says', () => {
    const toKey = (name: string) => name.toLowerCase().replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
    expect(fileSettings.length).toBeGreaterThan(30)
    expect(fileSettings.map((name) => toKey(toVariable(name)))).toEqual(fileSettings)
  })

  test('docs/status-api.md has a heading for every code, and a heading for every call', async () => {
    const text = readFileSync(join(root, 'docs/status-api.md'), 'utf8')
    const headings = [...text.matchAll(/^#{2,4} `?([^`\n]+)`?$/gm)].map(([, heading]) => heading)
    expect(headings).toEqual(expect.arrayContaining(Object.keys(problems)))
    const app = await startTestApp(onTestFinished)
    const paths = Object.entries(app.api.description['paths'] as Record<string, object>)
    const calls = paths.flatMap(([path, item]) => Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`))
    expect(headings).toEqual(expect.arrayContaining(calls))
  })
})
