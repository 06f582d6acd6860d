import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { needsOtherBodies } from '../../src/playground/request/read-operation.ts'
import * as otherBodies from '../../src/playground/request/request-body.ts'
import { allSamples } from '../../src/playground/samples/all-samples.ts'
import type { SampleLanguage } from '../../src/playground/samples/sample-languages.ts'
import { toRequest } from '../../src/playground/send/to-request.ts'
import { isObject } from '../../src/text/json/json-values.ts'
import { launchBrowser } from '../support/browser.ts'
import {
  listBodyCases,
  listParameterCases,
  type MatrixCase,
  matrixFiles,
  renderRequestMatrix,
} from '../support/request-matrix.ts'
import { canRunSamples, runSamples } from '../support/run-samples.ts'
import { type ArrivedRequest, serveEcho } from '../support/serve-echo.ts'
import { serveParts } from './support/serve-parts.ts'

let echo: Awaited<ReturnType<typeof serveEcho>>
let browser: Browser
beforeAll(async () => {
  echo = await serveEcho()
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  echo?.close()
})

/** Opens a page with the Content Security Policy of a site that sends requests like the playground. */
async function openPage(): Promise<Page> {
  const address = await serveParts(
    `import { sendRequest } from './src/playground/send/send-request.ts'
import { needsOtherBodies } from './src/playground/request/read-operation.ts'
import * as otherBodies from './src/playground/request/request-body.ts'
import { readSlice } from './src/model/api.ts'
import { toRequest } from './src/playground/send/to-request.ts'
const revive = (value, files) => {
  if (value === null || typeof value !== 'object') return value
  if (typeof value.file === 'string') return new File([files[value.file]], value.file, { type: 'image/png' })
  if (Array.isArray(value)) return value.map((one) => revive(one, files))
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, revive(one, files)]))
}
window.sendCases = async (text) => {
  const { cases, files } = JSON.parse(text)
  const failures = []
  for (const { operation, values } of cases) {
    const body = { ...values.body, value: revive(values.body.value, files) }
    const whole = { ...operation, follow: readSlice({}).follow }
    const { request } = toRequest(whole, { ...values, body }, { base: location.href, purpose: 'send', others: needsOtherBodies(whole) ? otherBodies : undefined })
    await sendRequest({ request, withCookies: false, hasCredentials: false, signal: new AbortController().signal, onChange: ({ failure }) => { if (failure) failures.push([request.url, failure]) } })
  }
  return failures
}`,
    [echo.address],
  )
  const page = await browser.newPage()
  await page.goto(address)
  return page
}

/** The requests that arrived while `work` was running, in order. */
async function arrivedWhile(work: () => Promise<void>): Promise<ArrivedRequest[]> {
  const before = echo.arrived.length
  await work()
  return echo.arrived.slice(before)
}

async function sendFromPage(cases: readonly MatrixCase[]): Promise<ArrivedRequest[]> {
  const page = await openPage()
  const plain = cases.map(({ operation: { follow: _, ...operation }, values }) => ({ operation, values }))
  return arrivedWhile(async () => {
    const text = JSON.stringify({ cases: plain, files: matrixFiles })
    expect(await page.evaluate(`sendCases(${JSON.stringify(text)})`)).toEqual([])
  })
}

async function sendBySamples(language: SampleLanguage, cases: readonly MatrixCase[]): Promise<ArrivedRequest[]> {
  const write = allSamples[language]
  const sources = cases.map(({ operation, values }) => {
    const body = { ...values.body, value: reviveFiles(values.body.value) }
    const others = needsOtherBodies(operation) ? otherBodies : undefined
    return write?.(toRequest(operation, { ...values, body }, { base: echo.address, purpose: 'show', others }).request) ?? ''
  })
  return arrivedWhile(async () => {
    const { code, errors } = await runSamples(language, sources, matrixFiles)
    // curl writes its progress to stderr.
    expect([code, code === 0 ? '' : errors]).toEqual([0, ''])
  })
}

/** Converts file placeholders to files, like the page does. */
function reviveFiles(value: unknown): MatrixCase['values']['body']['value'] {
  if (isObject(value) && typeof value['file'] === 'string') {
    return new File([matrixFiles[value['file']] ?? ''], value['file'], { type: 'image/png' })
  }
  if (Array.isArray(value)) return value.map((one) => reviveFiles(one) ?? null)
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, reviveFiles(one) ?? null]))
  // Only JSON primitives are left.
  return value as string | number | boolean | null | undefined
}

/** The part of a request that a case compares. */
function readPart({ part, expected }: MatrixCase, arrived: ArrivedRequest | undefined): string | undefined {
  if (!arrived) return undefined
  const [path = '', query = ''] = arrived.target.split('?')
  switch (part) {
    case 'path':
      return path.slice('/x'.length)
    case 'query':
      return arrived.target.slice(path.length + 1) || query
    case 'header':
      return arrived.headers.get('x-color')
    case 'cookie':
      return arrived.headers.get('cookie')
    default: {
      const type = arrived.headers.get('content-type') ?? ''
      const boundary = /boundary="?([^";]+)/.exec(type)?.[1]
      if (boundary !== undefined) return arrived.body.replaceAll(boundary, 'boundary')
      // Code samples format JSON.
      return type === 'application/json' && !expected.includes('12345678901234567890')
        ? JSON.stringify(JSON.parse(arrived.body))
        : arrived.body
    }
  }
}

function compare(cases: readonly MatrixCase[], arrived: readonly ArrivedRequest[]): void {
  const received = cases.map((one, index) => `${one.name}: ${readPart(one, arrived[index])}`)
  expect(received).toEqual(cases.map(({ name, expected }) => `${name}: ${expected}`))
}

describe('parameters arrive as specified', () => {
  test('from the page', async () => {
    const cases = listParameterCases(echo.address).filter(({ part }) => part !== 'cookie')
    expect(cases.length).toBeGreaterThan(100)
    compare(cases, await sendFromPage(cases))
  })

  test.each((['bash', 'javascript', 'python', 'ruby', 'php'] as const).filter(canRunSamples))(
    'from samples in %s',
    async (language) => {
      const cases = listParameterCases(echo.address)
      compare(cases, await sendBySamples(language, cases))
    },
  )
})

describe('bodies arrive as specified', () => {
  const types = (cases: readonly MatrixCase[], arrived: readonly ArrivedRequest[]) =>
    cases.map(({ name }, index) => `${name}: ${arrived[index]?.headers.get('content-type')?.replace(/; boundary=.*/, '')}`)
  const expectedTypes = (cases: readonly MatrixCase[]) =>
    cases.map(({ name, operation }) => `${name}: ${operation.bodies[0]?.mediaType.replace('image/*', 'image/png')}`)

  test('from the page', async () => {
    const cases = listBodyCases(echo.address)
    const arrived = await sendFromPage(cases)
    compare(cases, arrived)
    expect(types(cases, arrived)).toEqual(expectedTypes(cases))
  })

  test.each((['bash', 'node', 'python', 'ruby', 'php'] as const).filter(canRunSamples))(
    'from samples in %s',
    async (language) => {
      const cases = listBodyCases(echo.address)
      const arrived = await sendBySamples(language, cases)
      compare(cases, arrived)
      expect(types(cases, arrived)).toEqual(expectedTypes(cases))
    },
  )
})

test('the documentation contains the table', () => {
  const written = readFileSync(join(import.meta.dirname, '../../docs/internal/playground-matrix.md'), 'utf8')
  expect(written, 'run `npm run docs`').toBe(renderRequestMatrix())
})
