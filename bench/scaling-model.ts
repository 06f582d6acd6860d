import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

// Predicts what a number of repositories needs, and compares the prediction with a measurement of the load generator.

const help = `npm run bench -- scaling-model [FILE…]

Prints a table of what 10, 1,000 and 100,000 repositories need. With results of \`npm run bench:load\`, also compares each with the model.`

/** How much a team uses the app. */
interface Use {
  readonly repositories: number
  readonly repositoriesPerInstallation: number
  /** Pushes of one repository per working day, to all branches. */
  readonly pushesPerDay: number
  /** Of the webhooks of a day, those in its busiest hour. */
  readonly busiestHour: number
  /** Of 1: pushes that build a site. */
  readonly siteShare: number
}

/** Costs of one unit of work. \`docs/operate.md\` says how they were measured. */
interface Costs {
  readonly webhooksPerUpdate: number
  /** CPU seconds of a worker for an update without and with a site of 10 pages. */
  readonly checkCpuSeconds: number
  readonly siteCpuSeconds: number
  /** CPU seconds of a web process and of PostgreSQL for one webhook. */
  readonly webhookCpuSeconds: number
  /** Requests to GitHub. */
  readonly writesPerUpdate: number
  readonly readsPerUpdate: number
  /** Bytes in the database. */
  readonly recordBytes: number
  readonly siteBytes: number
}

const measuredCosts: Costs = {
  webhooksPerUpdate: 1,
  checkCpuSeconds: 0.5,
  siteCpuSeconds: 1.2,
  webhookCpuSeconds: 0.01,
  writesPerUpdate: 2.8,
  readsPerUpdate: 9,
  recordBytes: 3_000,
  siteBytes: 140_000,
}

interface Needs {
  readonly webhooksPerSecond: number
  readonly updatesPerSecond: number
  readonly workerCores: number
  readonly webCores: number
  readonly writesPerHourAndInstallation: number
  readonly readsPerHourAndInstallation: number
  /** Gigabytes of records after a year, and of sites with 20 previews. */
  readonly recordGigabytes: number
  readonly siteGigabytes: number
}

/** Rates are those of the busiest hour. Cores are used completely, so that an installation needs about twice as many. */
function predictNeeds(use: Use, costs: Costs = measuredCosts): Needs {
  const updatesPerHour = use.repositories * use.pushesPerDay * use.busiestHour
  const updatesPerSecond = updatesPerHour / 3_600
  const webhooksPerSecond = updatesPerSecond * costs.webhooksPerUpdate
  const perInstallation = updatesPerHour / Math.max(1, use.repositories / use.repositoriesPerInstallation)
  const workingDays = 250
  return {
    webhooksPerSecond,
    updatesPerSecond,
    workerCores: updatesPerSecond * (costs.checkCpuSeconds + use.siteShare * costs.siteCpuSeconds),
    webCores: webhooksPerSecond * costs.webhookCpuSeconds,
    writesPerHourAndInstallation: perInstallation * costs.writesPerUpdate,
    readsPerHourAndInstallation: perInstallation * costs.readsPerUpdate,
    recordGigabytes: (use.repositories * use.pushesPerDay * workingDays * costs.recordBytes) / 1e9,
    siteGigabytes: (use.repositories * use.siteShare * 21 * costs.siteBytes) / 1e9,
  }
}

/** The result of `bench/load.ts`, as far as the model predicts it. */
interface LoadResult {
  readonly seconds: number
  readonly records: number
  readonly sites: number
  readonly requests: readonly { readonly kind: string; readonly count: number }[]
  /** CPU seconds by process. */
  readonly cpuSeconds: Readonly<Record<string, number>>
  /** Requests by route and status. */
  readonly github: Readonly<Record<string, number>>
}

/** Rows of what was predicted for the records of a measurement, and what was measured. */
function compareWithMeasurement(
  { records, sites, requests, cpuSeconds, github }: LoadResult,
  costs: Costs = measuredCosts,
): readonly { readonly name: string; readonly predicted: number; readonly measured: number }[] {
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
  const countRoutes = (pattern: RegExp) =>
    sum(Object.entries(github).flatMap(([route, count]) => (pattern.test(route) ? [count] : [])))
  const cpuOf = (pattern: RegExp) =>
    sum(Object.entries(cpuSeconds).flatMap(([name, value]) => (pattern.test(name) ? [value] : [])))
  const webhooks = sum(requests.filter(({ kind }) => kind.startsWith('webhook')).map(({ count }) => count))
  return [
    { name: 'webhooks', predicted: records * costs.webhooksPerUpdate, measured: webhooks },
    { name: 'writes to GitHub', predicted: records * costs.writesPerUpdate, measured: countRoutes(/^(?:POST|PATCH) \/repos/) },
    { name: 'reads from GitHub', predicted: records * costs.readsPerUpdate, measured: countRoutes(/^GET/) },
    {
      name: 'CPU seconds of workers',
      predicted: records * costs.checkCpuSeconds + sites * costs.siteCpuSeconds,
      measured: cpuOf(/^(?:worker|all)/),
    },
  ]
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { help: { type: 'boolean', short: 'h' } } })
  if (values.help) console.log(help)
  else print(positionals)
}

function print(files: readonly string[]): void {
  const uses = [10, 1_000, 100_000].map((repositories) => ({
    repositories,
    repositoriesPerInstallation: Math.min(50, repositories),
    pushesPerDay: 4,
    busiestHour: 0.2,
    siteShare: 0.3,
  }))
  const needs = uses.map((use) => predictNeeds(use))
  const row = (name: string, read: (one: Needs) => number) => `| ${name} | ${needs.map((one) => toText(read(one))).join(' | ')} |`
  const lines = [
    `| Repositories | ${uses.map(({ repositories }) => repositories.toLocaleString('en-US')).join(' | ')} |`,
    '| --- | ---: | ---: | ---: |',
    row('Webhooks per second', (one) => one.webhooksPerSecond),
    row('Updates per second', (one) => one.updatesPerSecond),
    row('Cores of workers', (one) => one.workerCores),
    row('Cores of web processes for webhooks', (one) => one.webCores),
    row('Writes to GitHub per hour and installation (limit 500)', (one) => one.writesPerHourAndInstallation),
    row('Reads per hour and installation (limit 5,000)', (one) => one.readsPerHourAndInstallation),
    row('GB of records after a year', (one) => one.recordGigabytes),
    row('GB of sites with 20 previews', (one) => one.siteGigabytes),
  ]
  for (const file of files) {
    const result = JSON.parse(readFileSync(file, 'utf8')) as LoadResult
    lines.push('', `${file}:`, '', '| | Predicted | Measured | Ratio |', '| --- | ---: | ---: | ---: |')
    for (const { name, predicted, measured } of compareWithMeasurement(result)) {
      lines.push(`| ${name} | ${toText(predicted)} | ${toText(measured)} | ${toText(measured / predicted)} |`)
    }
  }
  console.log(lines.join('\n'))
}

function toText(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en-US')
  return value >= 1 ? value.toFixed(1) : value.toPrecision(2)
}
