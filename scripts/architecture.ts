/** A folder of `src` and the files it may import. Subfolders without a row belong to it. */
interface Folder {
  /** Relative to `src`, such as `source` or `site/render`. */
  readonly path: string
  /** Its content, for the table in ARCHITECTURE.md: Markdown without a final full stop. */
  readonly purpose: string
  /** Part of the core: no disk, network, process, clock, randomness or console. */
  readonly isCore?: true
  /** The rows that its files may import, besides their own and `src/errors.ts`. */
  readonly imports: readonly string[]
  /** The packages that only this folder may import, with their subpaths. */
  readonly packages?: readonly string[]
}

/**
 * The only list of folders. `test/architecture.test.ts` enforces it, and `npm run docs` writes the tables in ARCHITECTURE.md and
 * CONTRIBUTING.md from it.
 */
export const folders: readonly Folder[] = [
  {
    path: 'source',
    purpose: 'source text, positions, JSON pointers, JSON and YAML parsing',
    isCore: true,
    imports: [],
    packages: ['js-yaml', 'jsonc-parser'],
  },
  {
    path: 'diagnostics',
    purpose: '`Diagnostic`, codes, output formats',
    isCore: true,
    imports: ['source'],
  },
  {
    path: 'openapi/schema',
    purpose: 'JSON Schema: types, values, keywords',
    isCore: true,
    imports: ['source'],
  },
  {
    path: 'openapi',
    purpose: 'validation: object tables, references, `checks/`, `bundle/`; comparison: `changes/`',
    isCore: true,
    imports: ['openapi/schema', 'diagnostics', 'source'],
  },
  {
    path: 'docs-config',
    purpose: '`docs.json`, frontmatter, configuration, lock file',
    isCore: true,
    imports: ['openapi', 'diagnostics', 'source'],
    packages: ['yaml', 'jsonc-parser'],
  },
  {
    path: 'pages',
    purpose: 'page plan, paths, text, navigation, adoption',
    isCore: true,
    imports: ['docs-config', 'openapi', 'diagnostics', 'source'],
    packages: ['yaml'],
  },
  {
    path: 'openapi/rulesets',
    purpose: 'Spectral rulesets',
    isCore: true,
    imports: ['site/content', 'openapi/schema', 'openapi', 'diagnostics', 'source'],
  },
  {
    path: 'update',
    purpose: 'steps of an update',
    imports: ['files', 'pages', 'openapi/rulesets', 'docs-config', 'openapi', 'diagnostics', 'source'],
    packages: ['@apidevtools/swagger-parser', 'json-p3', 'yaml'],
  },
  {
    path: 'status',
    purpose: 'update status record',
    isCore: true,
    imports: ['diagnostics', 'source'],
  },
  {
    path: 'site/content',
    purpose: 'MDX parser, evaluation of components without running code, allowed HTML',
    isCore: true,
    imports: ['docs-config', 'diagnostics', 'source'],
    packages: [
      '@sveltejs/acorn-typescript',
      'acorn',
      'acorn-jsx',
      'css-tree',
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
      'property-information',
    ],
  },
  {
    path: 'site/request',
    purpose: 'serialized requests, code samples',
    isCore: true,
    imports: ['source'],
  },
  {
    path: 'site/reference',
    purpose: 'data of reference pages',
    isCore: true,
    imports: ['site/request', 'openapi', 'openapi/schema', 'source'],
    packages: ['ret'],
  },
  {
    path: 'site/messages',
    purpose: 'interface texts',
    isCore: true,
    imports: [],
  },
  {
    path: 'site/render',
    purpose: 'site plan, components, search index, Markdown',
    isCore: true,
    imports: [
      'site/content',
      'site/messages',
      'site/reference',
      'site/request',
      'pages',
      'docs-config',
      'openapi',
      'diagnostics',
      'source',
    ],
    packages: [
      'css-tree',
      'culori',
      'katex',
      'mdast',
      'mdast-util-gfm',
      'mdast-util-to-markdown',
      'preact',
      'preact-render-to-string',
      'shiki',
    ],
  },
  {
    path: 'site/build',
    purpose: 'site builds, full and incremental',
    imports: [
      'update',
      'site/render',
      'site/content',
      'site/messages',
      'site/reference',
      'files',
      'pages',
      'docs-config',
      'openapi',
      'diagnostics',
      'source',
    ],
    packages: ['image-size', 'js-yaml'],
  },
  {
    path: 'site/preview',
    purpose: 'local preview server',
    imports: ['site/build', 'update', 'site/render', 'files', 'docs-config', 'diagnostics', 'source'],
    packages: ['preact', 'preact-render-to-string'],
  },
  {
    path: 'site/search',
    purpose: 'search queries',
    isCore: true,
    imports: ['source'],
  },
  {
    path: 'site/client',
    purpose: 'page scripts (browser)',
    imports: ['site/playground', 'site/messages', 'site/request', 'site/search', 'source'],
    packages: ['mermaid'],
  },
  {
    path: 'site/playground',
    purpose: 'API playground (browser)',
    imports: ['site/messages', 'site/request', 'openapi/schema', 'source'],
    packages: [
      '@codemirror/commands',
      '@codemirror/lang-json',
      '@codemirror/language',
      '@codemirror/state',
      '@codemirror/view',
      '@lezer/highlight',
      'eventsource-parser',
      'preact',
    ],
  },
  {
    path: 'files',
    purpose: 'file access below one root, atomic writes',
    imports: ['docs-config', 'openapi', 'source'],
  },
  {
    path: 'git',
    purpose: 'the `git` process',
    imports: ['status', 'source'],
  },
  {
    path: 'github/report',
    purpose: 'Markdown for checks and comments',
    isCore: true,
    imports: ['openapi', 'diagnostics', 'source'],
  },
  {
    path: 'github',
    purpose: 'GitHub API client (Octokit)',
    imports: ['github/report', 'files', 'status', 'diagnostics', 'source'],
    packages: ['@octokit/auth-app', '@octokit/rest', 'tar-stream'],
  },
  {
    path: 'store',
    purpose: 'storage in SQLite or PostgreSQL: records, jobs, sites, sessions',
    imports: ['files', 'status', 'source'],
    packages: ['@aws-sdk/client-s3', 'kysely', 'pg'],
  },
  {
    path: 'status/client',
    purpose: 'HTTP client of the app',
    imports: ['files', 'status', 'source'],
  },
  {
    path: 'site/mcp',
    purpose: 'MCP tools',
    imports: ['site/request', 'site/search', 'source'],
    packages: ['@modelcontextprotocol/server', 'typebox'],
  },
  {
    path: 'action',
    purpose: 'entry point: GitHub Action',
    imports: [
      'update',
      'status/client',
      'github/report',
      'github',
      'status',
      'files',
      'git',
      'pages',
      'docs-config',
      'openapi',
      'diagnostics',
      'source',
    ],
    packages: ['@actions/core', '@actions/github', 'tinyglobby'],
  },
  {
    path: 'cli',
    purpose: 'entry point: command line',
    imports: [
      'site/mcp',
      'site/preview',
      'site/build',
      'site/render',
      'site/search',
      'update',
      'github/report',
      'status/client',
      'files',
      'git',
      'pages',
      'docs-config',
      'openapi',
      'diagnostics',
      'source',
    ],
    packages: [
      '@clack/prompts',
      'commander',
      'diff',
      'tinyglobby',
      'typebox',
      'vscode-languageserver',
      'vscode-languageserver-textdocument',
    ],
  },
  {
    path: 'app',
    purpose: 'entry point: GitHub App, API, dashboard, sites',
    imports: [
      'site/mcp',
      'site/build',
      'site/render',
      'site/request',
      'site/search',
      'update',
      'github/report',
      'github',
      'store',
      'status',
      'files',
      'docs-config',
      'openapi',
      'diagnostics',
      'source',
    ],
    packages: [
      '@fastify/swagger',
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

/** The row of a file of `src`, by the longest matching path; undefined for top-level files and for folders without a row. */
export function findFolder(file: string): Folder | undefined {
  return folders
    .filter(({ path }) => file.startsWith(`${path}/`))
    .reduce<Folder | undefined>((best, row) => (best && best.path.length > row.path.length ? best : row), undefined)
}

/** The table in ARCHITECTURE.md, one row per line. Imports that another imported folder already implies are omitted. */
export function renderFolderTable(): string[] {
  const rows = folders.map(({ path, purpose, imports, isCore }) => {
    const implied = new Set(imports.flatMap((name) => [...findReached(name)]))
    const direct = imports.filter((name) => !implied.has(name))
    return `| \`${path}\`${isCore ? ' ◦' : ''} | ${purpose} | ${direct.join(' ') || '–'} |`
  })
  return ['| Directory | Content | Imports |', '| --- | --- | --- |', ...rows]
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

/** The table in CONTRIBUTING.md, one row per line. */
export function renderPackageTable(): string[] {
  const rows = folders.flatMap(({ path, packages }) =>
    packages ? [`| \`${path}\` | ${packages.map((name) => `\`${name}\``).join(' ')} |`] : [],
  )
  return ['| Directory | Packages it may import |', '| --- | --- |', ...rows]
}
