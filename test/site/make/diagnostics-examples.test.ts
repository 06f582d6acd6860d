import { expect, test } from 'vitest'
import { configFileNames } from '../../../src/docs/config/config-files.ts'
import { type DocumentedDiagnostic, listExamples } from '../../diagnostics/documented-diagnostics.ts'
import { siteOf } from './site-of.ts'

/** A site that has the example in it: a page, settings of `docs.json`, a stylesheet or the configuration file. */
function toFiles({ code, language, text }: DocumentedDiagnostic): Readonly<Record<string, string>> {
  const pages = {
    'guides/quickstart.mdx': '# Quick start\n\n## Limits\n',
    'guides/pets.mdx': '# Pets\n',
    'guides/cats.mdx': '# Cats\n',
  }
  const settings = language === 'json' ? JSON.parse(text) : {}
  const navigation = { pages: ['index', ...Object.keys(pages).map((path) => path.replace('.mdx', ''))] }
  const docs = { 'docs.json': JSON.stringify({ name: 'Pets', navigation, ...settings }) }
  if (code === 'navigation-empty')
    return { ...docs, 'openapi.yaml': 'openapi: 3.1.0\ninfo: {title: T, version: "1"}\npaths: {/pets: {get: {}}}\n' }
  return {
    ...docs,
    ...pages,
    'index.mdx': language === 'mdx' ? text : '# Start\n',
    'images/dashboard.png': '',
    'fonts/inter.woff2': '',
    'fonts/poppins.woff2': '',
    'report.pdf': '',
    ...(language === 'css' && { 'style.css': text }),
    ...(language === 'yaml' && { [configFileNames[0]]: text }),
    ...(code === 'script-not-run' && { 'widget.js': 'document.title = 1\n' }),
    ...(code === 'asset-refused' && text.includes('report.html') && { 'report.html': '<p>Report</p>\n' }),
  }
}

test.each(listExamples('site'))('$code: the $verdict example', async (example) => {
  const { diagnostics } = await siteOf(toFiles(example))
  expect([...new Set(diagnostics.map(({ code }) => code))]).toEqual(example.verdict === 'wrong' ? [example.code] : [])
})
