import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parser } from '@prometheus-io/lezer-promql'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { projectFolder } from '../../../support/action-harness.ts'
import { connectApp, docsConfig, validDocument } from '../../support/connected-app.ts'

const read = (path: string) => readFileSync(join(projectFolder, path), 'utf8')

interface Dashboard {
  readonly panels: readonly {
    readonly id: number
    readonly title: string
    readonly gridPos: { readonly x: number; readonly w: number }
    readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[]
  }[]
}

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly for?: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly runbook_url: string }
}

const dashboard = JSON.parse(read('deploy/grafana-dashboard.json')) as Dashboard
const { groups } = parse(read('deploy/prometheus-rules.yaml')) as { groups: readonly { readonly rules: readonly Rule[] }[] }
const rules = groups.flatMap((group) => group.rules)

interface Query {
  /** The names of metrics, and the labels that the query reads. */
  readonly metrics: readonly string[]
  readonly labels: readonly string[]
  readonly mistakes: readonly string[]
}

/** Reads a query with the parser of Prometheus' own web interface. */
function readQuery(text: string): Query {
  const query = text.replaceAll('$__rate_interval', '5m')
  const found = { metrics: [] as string[], labels: [] as string[], mistakes: [] as string[] }
  parser.parse(query).iterate({
    enter({ type, from, to }) {
      const part = query.slice(from, to)
      if (type.isError) found.mistakes.push(`${query.slice(0, from)}⟨here⟩${query.slice(from)}`)
      else if (type.name === 'Identifier') found.metrics.push(part)
      else if (type.name === 'LabelName') found.labels.push(part)
    },
  })
  return found
}

const queries = [
  ...dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const)),
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
]

test('each query of the dashboard and the alerts is valid and reads existing metrics and labels', async () => {
  const { app, github, idle } = await connectApp()
  await github
    .createRepository('acme/api', { files: { 'docs.json': docsConfig, 'openapi.yaml': validDocument } })
    .push({ files: { a: 'a' } })
  await idle()
  const { registry } = app.tools.metrics
  const metrics = await registry.getMetricsAsArray()
  // Prometheus adds `instance`; histograms have series for their parts with `le`.
  const known = new Map(
    metrics.flatMap((metric) => {
      // Part of each metric of prom-client, but not of its types.
      const { labelNames } = metric as unknown as { labelNames: readonly string[] }
      const labels = [...labelNames, 'instance', 'le']
      const parts = String(metric.type) === 'histogram' ? ['_bucket', '_count', '_sum'] : ['']
      return parts.map((part) => [`${metric.name}${part}`, labels] as const)
    }),
  )
  expect(queries.length).toBeGreaterThan(40)
  for (const [title, expr] of queries) {
    const query = readQuery(expr)
    expect(query.mistakes, title).toEqual([])
    expect(query.metrics.length, title).toBeGreaterThan(0)
    for (const name of query.metrics) expect([...known.keys()], title).toContain(name)
    const labels = query.metrics.flatMap((name) => known.get(name) ?? [])
    for (const label of query.labels) expect(labels, `${title}: ${expr}`).toContain(label)
  }
  // The metrics of the last push have values.
  const text = await registry.metrics()
  expect(text).toMatch(/^openapi_pages_build_info\{version="[\d.]+",role="all",schema="\d+",database="sqlite"\} 1$/m)
  expect(text).toMatch(/^openapi_pages_store_up 1$/m)
  expect(text).toMatch(/^openapi_pages_github_request_duration_seconds_count\{method="PATCH",status="200"\} 1$/m)
  expect(text).toMatch(/^openapi_pages_run_wait_seconds_count 1$/m)
  expect(text).toMatch(/^openapi_pages_webhook_deliveries_total\{event="push",outcome="accepted"\} 1$/m)
})

test('finds mistakes in queries', () => {
  expect(readQuery('sum by (a) (rate(b[5m])').mistakes).toHaveLength(1)
  expect(readQuery('max by (a) (b{c="d"})')).toEqual({ metrics: ['b'], labels: ['a', 'c'], mistakes: [] })
})

test('panels have unique IDs and fit their rows', () => {
  const ids = dashboard.panels.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const { gridPos } of dashboard.panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24)
})

test('each alert has a section in the docs that it links to', () => {
  const page = read('docs/operate.md')
  const sections = Array.from(page.matchAll(/^### (OpenapiPages\w+)$/gm), ([, name]) => name)
  expect(sections).toEqual(rules.map(({ alert }) => alert))
  for (const { alert, annotations, labels } of rules) {
    expect(annotations.runbook_url).toMatch(new RegExp(`/docs/operate\\.md#${alert.toLowerCase()}$`))
    expect(['critical', 'warning']).toContain(labels.severity)
  }
})

test('reports the metrics of the process while the database does not respond', async () => {
  const { app, store } = await connectApp({ withoutRuns: true })
  await store.close()
  const text = await app.tools.metrics.registry.metrics()
  expect(text).toMatch(/^openapi_pages_store_up 0$/m)
  expect(text).toMatch(/^openapi_pages_build_info\{/m)
  expect(text).not.toMatch(/^openapi_pages_queue_(jobs|oldest_seconds)[ {]/m)
  await expect(store.projects.list()).rejects.toThrow()
  expect(await app.tools.metrics.registry.metrics()).toMatch(/^openapi_pages_store_errors_total\{code="[^"]+"\} \d+$/m)
})
