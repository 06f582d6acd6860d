/** A folder of `src` and what its files may import. Folders inside it without a row of their own belong to it. */
export interface Folder {
  /** Relative to `src`, such as `text` or `site/markdown`. */
  readonly path: string
  /** What is in it, for the table in ARCHITECTURE.md: Markdown without a final full stop. */
  readonly purpose: string
  /** Part of the core: no disk, network, process, clock, randomness or console. */
  readonly isCore?: true
  /** The rows whose files it may import beside its own, `src/errors.ts` included for all. */
  readonly imports: readonly string[]
  /** The packages it may import, with their subpaths. No other folder may. */
  readonly packages?: readonly string[]
}

/**
 * The only list of folders. `test/architecture.test.ts` enforces it, and `npm run docs` writes the tables in ARCHITECTURE.md and
 * CONTRIBUTING.md from it.
 */
export const folders: readonly Folder[] = [
  {
    path: 'text',
    purpose: 'source text, positions, JSON pointers, JSON and YAML parsing',
    isCore: true,
    imports: [],
    packages: ['js-yaml', 'jsonc-parser'],
  },
  {
    path: 'diagnostic',
    purpose: '`Diagnostic`, codes, output formats',
    isCore: true,
    imports: ['text'],
  },
  {
    path: 'openapi',
    purpose: 'validation: object tables, references, `checks/`, `bundle/`',
    isCore: true,
    imports: ['diagnostic', 'text'],
  },
  {
    path: 'docs',
    purpose: '`docs.json`, frontmatter, configuration, lock file',
    isCore: true,
    imports: ['diagnostic', 'text'],
    packages: ['yaml', 'jsonc-parser'],
  },
  {
    path: 'pages',
    purpose: 'page plan, paths and text, navigation, adoption',
    isCore: true,
    imports: ['docs', 'openapi', 'diagnostic', 'text'],
    packages: ['yaml'],
  },
  {
    path: 'update',
    purpose: 'the steps of an update in order',
    imports: ['files', 'pages', 'docs', 'openapi', 'diagnostic', 'text'],
  },
  {
    path: 'status',
    purpose: 'the update status record',
    isCore: true,
    imports: ['diagnostic', 'text'],
  },
  {
    path: 'mdx',
    purpose: 'MDX parsed without running it, allowed HTML',
    isCore: true,
    imports: ['docs', 'diagnostic', 'text'],
    packages: [
      'estree-jsx',
      'github-slugger',
      'hast',
      'hast-util-raw',
      'hast-util-sanitize',
      'mdast',
      'mdast-util-from-markdown',
      'mdast-util-gfm',
      'mdast-util-math',
      'mdast-util-mdx',
      'mdast-util-to-hast',
      'micromark-extension-gfm',
      'micromark-extension-math',
      'micromark-extension-mdxjs',
    ],
  },
  {
    path: 'request',
    purpose: 'serialized requests, code samples',
    isCore: true,
    imports: ['text'],
  },
  {
    path: 'reference',
    purpose: 'a description as its pages show it',
    isCore: true,
    imports: ['request', 'openapi', 'text'],
    packages: ['openapi-sampler'],
  },
  {
    path: 'site',
    purpose: 'site plan, components, search index, Markdown',
    isCore: true,
    imports: ['mdx', 'reference', 'request', 'pages', 'docs', 'diagnostic', 'text'],
    packages: [
      '@iconify-json/lucide',
      'katex',
      'mdast',
      'mdast-util-gfm',
      'mdast-util-to-markdown',
      'minisearch',
      'preact',
      'preact-render-to-string',
      'shiki',
    ],
  },
  {
    path: 'builder',
    purpose: 'builds a site, rendering what changed',
    imports: ['update', 'site', 'mdx', 'reference', 'files', 'pages', 'docs', 'openapi', 'diagnostic', 'text'],
    packages: ['image-size'],
  },
  {
    path: 'preview',
    purpose: 'local preview server',
    imports: ['builder', 'update', 'site', 'files', 'docs', 'diagnostic', 'text'],
    packages: ['preact', 'preact-render-to-string'],
  },
  {
    path: 'browser',
    purpose: 'scripts of a page (browser)',
    imports: ['playground', 'text'],
    packages: ['minisearch'],
  },
  {
    path: 'playground',
    purpose: 'the dialog that sends requests (browser)',
    imports: ['request', 'text'],
    packages: ['eventsource-parser', 'preact'],
  },
  {
    path: 'files',
    purpose: '`Files` below one root, atomic writes',
    imports: ['openapi', 'text'],
  },
  {
    path: 'git',
    purpose: 'git as a process',
    imports: ['status', 'text'],
  },
  {
    path: 'report',
    purpose: 'Markdown of checks and comments',
    isCore: true,
    imports: ['diagnostic', 'text'],
  },
  {
    path: 'github',
    purpose: 'the GitHub API; nothing else knows Octokit',
    imports: ['report', 'files', 'status', 'diagnostic', 'text'],
    packages: ['@octokit/auth-app', '@octokit/rest', 'tar-stream'],
  },
  {
    path: 'store',
    purpose: 'ports for records, jobs, sites, sessions; SQLite',
    imports: ['status', 'text'],
    packages: ['kysely'],
  },
  {
    path: 'client',
    purpose: 'HTTP client of the app',
    imports: ['files', 'status', 'text'],
  },
  {
    path: 'action',
    purpose: 'entry point: GitHub Action',
    imports: ['update', 'client', 'report', 'github', 'status', 'files', 'git', 'pages', 'docs', 'openapi', 'diagnostic', 'text'],
    packages: ['@actions/core', '@actions/github', 'tinyglobby'],
  },
  {
    path: 'cli',
    purpose: 'entry point: command line',
    imports: ['preview', 'builder', 'site', 'update', 'client', 'files', 'git', 'pages', 'docs', 'openapi', 'diagnostic', 'text'],
    packages: ['@apidevtools/swagger-parser', 'commander', 'diff', 'tinyglobby', 'yaml'],
  },
  {
    path: 'app',
    purpose: 'entry point: GitHub App, API, dashboard, sites',
    imports: [
      'builder',
      'site',
      'update',
      'report',
      'github',
      'store',
      'status',
      'files',
      'docs',
      'openapi',
      'diagnostic',
      'text',
    ],
    packages: [
      '@fastify/rate-limit',
      '@fastify/swagger',
      '@fastify/type-provider-typebox',
      'commander',
      'cookie',
      'fastify',
      'jose',
      'pino',
      'playwright-core',
      'preact',
      'preact-render-to-string',
      'probot',
      'prom-client',
      'typebox',
    ],
  },
]

/** The row of a file of `src`, by the longest path; undefined for files at its top, and for folders without a row. */
export function findFolder(file: string): Folder | undefined {
  return folders
    .filter(({ path }) => file.startsWith(`${path}/`))
    .reduce<Folder | undefined>((best, row) => (best && best.path.length > row.path.length ? best : row), undefined)
}

/** The table in ARCHITECTURE.md, one line per element. What the imports of a folder import anyway is left out. */
export function renderFolderTable(): string[] {
  const rows = folders.map(({ path, purpose, imports, isCore }) => {
    const implied = new Set(imports.flatMap((name) => [...findReached(name)]))
    const direct = imports.filter((name) => !implied.has(name))
    return `| \`${path}\`${isCore ? ' ◦' : ''} | ${purpose} | ${direct.join(' ') || '–'} |`
  })
  return ['| folder | content | imports |', '| --- | --- | --- |', ...rows]
}

/** All folders that a folder may import, directly or through others. */
function findReached(path: string, reached = new Set<string>()): ReadonlySet<string> {
  for (const name of folders.find((folder) => folder.path === path)?.imports ?? []) {
    if (reached.has(name)) continue
    reached.add(name)
    findReached(name, reached)
  }
  return reached
}

/** The table in CONTRIBUTING.md, one line per element. */
export function renderPackageTable(): string[] {
  const rows = folders.flatMap(({ path, packages }) =>
    packages ? [`| \`${path}\` | ${packages.map((name) => `\`${name}\``).join(' ')} |`] : [],
  )
  return ['| folder | packages it may import |', '| --- | --- |', ...rows]
}
