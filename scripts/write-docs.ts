import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { findBlockingCode, lowerableCodes } from '../src/diagnostics/blocking-codes.ts'
import { diagnosticCodes } from '../src/diagnostics/codes.ts'
import { type ChangeCode, changeCodes } from '../src/openapi/changes/change-codes.ts'
import { changeExamples } from '../src/openapi/changes/change-examples.ts'
import { renderRequestMatrix } from '../test/support/request-matrix.ts'
import { renderFolderTable, renderPackageTable } from './architecture.ts'
import { renderCliReference } from './cli-reference.ts'
import { renderConfigSchema, renderLimits, renderSettings } from './config-schema.ts'
import { renderDocsConfigSchema } from './docs-config-schema.ts'
import { renderKeyTables } from './key-tables.ts'
import { recordOutput } from './record-output.ts'

// Writes the generated parts of the docs: text between markers, the reference of commands, SARIF help texts, the JSON Schemas of docs.json and the configuration file, and the request matrix of
// the playground. Also the list of settings and limits. With `--check`, it only reports stale files. Needs `build/cli`.
const root = join(import.meta.dirname, '..')
/** An example in `docs/diagnostics.md`. The words around its verdict are for tests only. */
const exampleBlock = /^```(\w+) (?:\w+-)?(wrong|right)(?: raw)?\n(.*?)^```\n*/gms
const written = {
  'docs/action-reference.md': renderActionReference(read('docs/action-reference.md')),
  ...Object.fromEntries(
    ['docs/start-docs-team.md', 'docs/start-api-team.md', 'docs/adopting.md'].map((path) => [path, recordOutput(read(path))]),
  ),
  'ARCHITECTURE.md': between(read('ARCHITECTURE.md'), 'folders', 'scripts/architecture.ts', renderFolderTable()),
  'CONTRIBUTING.md': between(read('CONTRIBUTING.md'), 'packages', 'scripts/architecture.ts', renderPackageTable()),
  'src/diagnostics/help-texts.generated.ts': renderHelpTexts(),
  'src/cli/setup/workflow-texts.generated.ts': renderWorkflowTexts(),
  'docs/change-codes.md': renderChangeCodes(),
  'docs/diagnostics.md': between(
    read('docs/diagnostics.md'),
    'lowerable',
    'src/diagnostics/blocking-codes.ts',
    renderLowerableCodes(),
  ),
  'docs/cli.md': between(read('docs/cli.md'), 'commands', 'src/cli and src/app/commands', await renderCliReference()),
  'docs/configuration.md': between(
    between(read('docs/configuration.md'), 'settings', 'src/docs-config/project-config.ts', renderSettings()),
    'limits',
    'src/source/limits.ts',
    renderLimits(),
  ),
  'docs/migrating.md': between(read('docs/migrating.md'), 'keys', 'src/docs-config/key-support.ts', renderKeyTables()),
  'docs/schemas/docs.schema.json': renderDocsConfigSchema(),
  'docs/schemas/config.schema.json': renderConfigSchema(),
  'docs/internal/playground-matrix.md': renderRequestMatrix(),
}
for (const [path, text] of Object.entries(written)) {
  if (!process.argv.includes('--check')) writeFileSync(join(root, path), text)
  else if (read(path) !== text) {
    console.error(`${path} is stale: run \`npm run docs\``)
    process.exitCode = 1
  }
}

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

interface ActionFile {
  readonly inputs: Readonly<Record<string, { description: string; default?: string; required?: boolean }>>
  readonly outputs: Readonly<Record<string, { description: string }>>
}

function renderActionReference(before: string): string {
  // A test checks the shape of the file.
  const action = parse(read('action.yml')) as ActionFile
  const inputs = Object.entries(action.inputs).flatMap(([name, input]) => {
    const value = input.default === undefined || input.default === '' ? [] : ['', `Default: \`${input.default}\``]
    return ['', `### ${name}`, '', toLine(input.description), ...value]
  })
  const outputs = Object.entries(action.outputs).map(([name, output]) => `- \`${name}\`: ${toLine(output.description)}`)
  return between(between(before, 'inputs', 'action.yml', [...inputs, '']), 'outputs', 'action.yml', ['', ...outputs, ''])
}

function renderChangeCodes(): string {
  const sections = (Object.keys(changeCodes) as ChangeCode[]).map((code) => {
    const row = changeCodes[code]
    const { level, title, why } = row
    const levels =
      typeof level === 'string' ? `**${level}**` : `**${level.request}** in requests, **${level.response}** in responses`
    const instead = 'instead' in row ? `\n**Instead:** ${row.instead.slice(0, 1).toLowerCase()}${row.instead.slice(1)}.\n` : ''
    return `## ${code}\n\n${levels} · ${title}. ${why}\n${instead}\n\`\`\`diff\n${changeExamples[code]}\`\`\`\n`
  })
  return `---
title: Change codes
description: Each change of an API description that \`changes\` reports, with its level and what it means for clients
---

[\`openapi-pages changes\`](changes.md) reports each change of an API description with one of these codes. The page shows the default level of each code, whom the change
breaks, and how to make it without breaking clients.

The levels in requests apply to everything that clients send: parameters, request bodies, and the responses to webhooks and callbacks. The levels in responses apply to
everything that clients receive.

Each example shows the lines of the base that the revision does not have (\`-\`), and the new lines of the revision (\`+\`). The examples omit the required fields \`openapi\`, \`info\`
and \`paths\` where they do not matter. A test checks that each example is exactly one change, with the code and the more severe of its levels.

${sections.join('\n')}`
}

function renderLowerableCodes(): string[] {
  const rows = lowerableCodes.map((code) => {
    return `| [\`${code}\`](#${code}) | ${diagnosticCodes[code].title} | ${findBlockingCode(code)?.why} |`
  })
  return ['', '| Code | Error | What pages show |', '| --- | --- | --- |', ...rows, '']
}

function renderHelpTexts(): string {
  const sections = read('docs/diagnostics.md').split(/^## /m).slice(1)
  const rows = sections.map((section) => {
    const code = section.slice(0, section.indexOf('\n'))
    const examples = Array.from(section.matchAll(exampleBlock), ([, language, verdict, text = '']) => {
      const fields = [`verdict: '${verdict}'`, `language: '${language}'`, `text: ${toTemplateLiteral(text)}`]
      return `      {\n${fields.map((field) => `        ${field},\n`).join('')}      },\n`
    })
    const text = section
      .slice(code.length)
      .replace(exampleBlock, '')
      // The last section of a chapter ends with the heading and the introduction of the next one.
      .replace(/^# .*/ms, '')
      .replace(/^\s*\*\*\w+\*\* · /, '')
    const list = examples.length === 0 ? '[]' : `[\n${examples.join('')}    ]`
    const name = /^[a-z]+$/.test(code) ? code : `'${code}'`
    return `  ${name}: {\n    text: ${toTemplateLiteral(linkFromElsewhere(text).trim())},\n    examples: ${list},\n  },\n`
  })
  return `import type { DiagnosticCode } from './codes.ts'

/** What \`docs/diagnostics.md\` has about a code. */
export interface DiagnosticHelp {
  /** What it means and how to fix it, in Markdown. */
  readonly text: string
  readonly examples: readonly {
    readonly verdict: 'wrong' | 'right'
    /** As in code blocks of Markdown. */
    readonly language: string
    readonly text: string
  }[]
}

/** Generated by \`npm run docs\` from \`docs/diagnostics.md\`: do not edit. */
export const helpTexts: { readonly [code in DiagnosticCode]: DiagnosticHelp } = {
${rows.join('')}}
`
}

/** The example workflows that `init` writes. */
function renderWorkflowTexts(): string {
  const texts = {
    pushWorkflow: 'workflows/push.yml',
    pullRequestWorkflow: 'workflows/pull-request.yml',
    githubPagesWorkflow: 'workflows/github-pages.yml',
    gitlabJobs: 'ci/gitlab.yml',
    gitlabPagesJob: 'ci/gitlab-pages.yml',
    bitbucketPipelines: 'ci/bitbucket-pipelines.yml',
  }
  const rows = Object.entries(texts).map(([constant, name]) => {
    const literal = toTemplateLiteral(read(`examples/${name}`))
    return `\n/** \`examples/${name}\`. */\nexport const ${constant} = ${literal}\n`
  })
  return `// Generated by \`npm run docs\`: do not edit.\n${rows.join('')}`
}

function toTemplateLiteral(text: string): string {
  return `\`${text.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('${', '\\${')}\``
}

/** Makes the relative links of `docs/diagnostics.md` absolute. */
function linkFromElsewhere(text: string): string {
  const base = 'https://github.com/openapi-pages/openapi-pages/blob/main/docs/'
  return text.replace(/\]\(#([\w-]+)\)/g, `](${base}diagnostics.md#$1)`).replace(/\]\((?!https?:)([\w./#-]+)\)/g, `](${base}$1)`)
}

function toLine(description: string): string {
  return description.trim().replaceAll(/\s+/g, ' ')
}

/** Replaces the lines between two marker comments. */
function between(before: string, name: string, source: string, lines: readonly string[]): string {
  const start = `<!-- ${name}: written by \`npm run docs\` from ${source} -->`
  const end = `<!-- /${name} -->`
  const from = before.indexOf(start)
  const to = before.indexOf(end)
  if (from === -1 || to === -1) throw new Error(`Cannot find ${start} … ${end}`)
  return `${before.slice(0, from + start.length)}\n${lines.join('\n')}\n${before.slice(to)}`
}
