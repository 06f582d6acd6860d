import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { formatText, plainPalette } from '../../../src/diagnostics/format-text.ts'
import { checkFiles } from '../../support/check-text.ts'

const page = readFileSync(new URL('../../../docs/internal/messages.md', import.meta.url), 'utf8')

/** The invalid documents, each with the expected output. */
const sections = [...page.matchAll(/^## (\d+)\n.*?^```(yaml|json)\n(.*?)^```\n\n```text\n(.*?)^```$/gms)].map(
  ([, number = '', syntax = '', text = '', printed = '']) => ({ number, file: `openapi.${syntax}`, text, printed }),
)

test('has eight invalid documents', () => {
  expect(sections.map(({ number }) => number)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8'])
})

describe.each(sections)('document $number', ({ file, text, printed }) => {
  test('prints the output shown on the page', async () => {
    const { diagnostics, sources } = await checkFiles({ [file]: text })
    const options = { palette: plainPalette, sourceOf: (path: string) => sources.get(path), all: false, lineWidth: 120 }
    expect(formatText(diagnostics, options)).toBe(printed)
  })
})
