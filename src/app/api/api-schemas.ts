import { type Static, type TSchema, Type } from 'typebox'
import { listedFiles, updateSources, updateStates } from '../../status/update-record.ts'
import { UpdateReport } from '../base/stored-report.ts'
import { type ProblemCode, problems } from '../http/problem-details.ts'

// Schemas of the HTTP API. They validate requests and generate `/v1/openapi.json`. Tests validate responses against them.

const Time = Type.String({
  format: 'date-time',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
  description: 'Time in ISO 8601, UTC, with milliseconds.',
})
const Sha = Type.String({ pattern: '^[0-9a-f]{40}$', description: 'Commit SHA, 40 hexadecimal digits.' })
const Ref = Type.String({
  minLength: 6,
  maxLength: 255,
  pattern: '^refs/[^\\u0000-\\u0020\\u007f\\ud800-\\udfff~^:?*\\[\\\\]+$',
  description: 'Full ref name, such as `refs/heads/main`.',
})
const Paths = Type.Array(Type.String({ minLength: 1, maxLength: 4096 }), { maxItems: listedFiles })

const FilesChanged = Type.Object(
  { added: Paths, modified: Paths, removed: Paths },
  { description: 'Files changed by the whole push: net changes, sorted, without duplicates.' },
)

/** Allows additional properties because responses may gain fields. */
export const UpdateStatusSchema = Type.Object(
  {
    _id: Type.String({ description: 'Record ID, a UUIDv7. IDs sort by creation time.' }),
    projectId: Type.String({ description: 'Project ID, `prj_…`.' }),
    createdAt: Time,
    endedAt: Type.Optional(Time),
    status: Type.Enum([...updateStates], {
      type: 'string',
      description: 'Moves from `queued` to `in_progress`, then to `success` or `failure`.',
    }),
    summary: Type.String({ description: 'One-line result. Empty while the update is queued.' }),
    logs: Type.Array(Type.String(), { description: 'Log lines in order. If lines were dropped, the last line says how many.' }),
    subdomain: Type.String({ description: 'Subdomain of the project’s site, a DNS label.' }),
    screenshot: Type.Optional(Type.String({ format: 'uri', description: 'Same URL as `screenshotLight`.' })),
    screenshotLight: Type.Optional(Type.String({ format: 'uri', description: 'Screenshot of the site in the light theme.' })),
    screenshotDark: Type.Optional(Type.String({ format: 'uri', description: 'Screenshot of the site in the dark theme.' })),
    author: Type.String({ description: 'GitHub login, or the commit author’s name if there is no login.' }),
    authorInfo: Type.Optional(
      Type.Object(
        {
          name: Type.String({ description: 'Name in the commit, or the GitHub login.' }),
          avatarUrl: Type.Optional(Type.String({ format: 'uri' })),
          githubUserId: Type.Optional(
            Type.Integer({ description: 'ID of the GitHub account. It stays the same after a rename.' }),
          ),
        },
        { description: 'More about the author. `avatarUrl` and `githubUserId` are absent if the account is unknown.' },
      ),
    ),
    commit: Type.Object({ sha: Sha, ref: Type.String(), message: Type.String(), filesChanged: FilesChanged }),
    source: Type.Enum([...updateSources], { type: 'string', description: 'What started the update.' }),
  },
  { $id: 'UpdateStatus', description: 'Status record of one update. `endedAt` is set when the update ends.' },
)

export const UpdateListSchema = Type.Object(
  {
    updates: Type.Array(Type.Ref('UpdateStatus#'), { description: 'Newest first.' }),
    nextCursor: Type.Optional(
      Type.String({ description: 'Pass this value as `cursor` to get the next page. Absent on the last page.' }),
    ),
  },
  { $id: 'UpdateList' },
)

export const ProblemSchema = Type.Object(
  {
    type: Type.String({ format: 'uri', description: 'URL of the documentation for this error code.' }),
    title: Type.String(),
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    code: Type.Enum(Object.keys(problems), { type: 'string', description: 'Stable error code for programs.' }),
    detail: Type.Optional(Type.String({ description: 'Explanation for people.' })),
    errors: Type.Optional(
      Type.Array(Type.Object({ at: Type.String(), message: Type.String() }), {
        description: 'One entry for each invalid part of the request.',
      }),
    ),
    requestId: Type.Optional(Type.String({ description: 'ID of the request, also found in the server log.' })),
  },
  { $id: 'Problem', description: 'Error response (RFC 9457).' },
)

export const StatusParameters = Type.Object({
  statusId: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'Status ID from a triggered update, a report, or the check on GitHub.',
  }),
})

export const StatusHeaders = Type.Object({
  'if-none-match': Type.Optional(
    Type.String({
      maxLength: 1024,
      description: '`ETag` of an earlier response. Returns 304 if the record has not changed since.',
    }),
  ),
  prefer: Type.Optional(
    Type.String({
      maxLength: 256,
      description: '`wait=N` delays the response until `status` changes or N seconds have passed. N is at most 60.',
    }),
  ),
})

export const ProjectParameters = Type.Object({
  projectId: Type.String({ minLength: 1, maxLength: 64, description: 'Project ID, `prj_…`.' }),
})

export const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '^[\\x21-\\x7e]+$',
      description:
        'Makes retries safe: a request with the same key within 24 hours returns the first response and starts nothing new.',
    }),
  ),
})

export const ListQuery = Type.Object(
  {
    ref: Type.Optional(Ref),
    sha: Type.Optional(Sha),
    status: Type.Optional(Type.Enum([...updateStates], { type: 'string' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
    cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 512, description: '`nextCursor` of the previous page.' })),
  },
  { additionalProperties: false },
)
export type ListQuery = Static<typeof ListQuery>

export const TriggerBody = Type.Object(
  {
    ref: Type.Optional(Ref),
    sha: Type.Optional(Sha),
  },
  { additionalProperties: false, description: 'The commit to update from. Defaults to the tip of the default branch.' },
)
export type TriggerBody = Static<typeof TriggerBody>

export const PreviewBody = Type.Object(
  {
    branch: Type.String({
      minLength: 1,
      maxLength: 244,
      pattern: '^[^\\u0000-\\u0020\\u007f\\ud800-\\udfff~^:?*\\[\\\\]+$',
      description: 'Branch of the project’s repository, without `refs/heads/`.',
    }),
  },
  { additionalProperties: false, description: 'The branch to preview.' },
)
export type PreviewBody = Static<typeof PreviewBody>

export const TriggerResponse = Type.Object(
  {
    statusId: Type.String({ description: 'Use it with `GET /v1/project/update-status/{statusId}`.' }),
    previewUrl: Type.Optional(
      Type.String({
        format: 'uri',
        description:
          'URL of the commit’s site, once the update has built it. Absent if the server hosts no sites or the project keeps no previews.',
      }),
    ),
  },
  { $id: 'TriggeredUpdate' },
)

export const ReportBody = Type.Object(
  {
    projectId: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'Required with an `admin` token. Otherwise, the repository and `root` identify the project.',
      }),
    ),
    root: Type.Optional(
      Type.String({
        maxLength: 1024,
        description: 'Docs directory, relative to the repository root. Defaults to the repository root.',
      }),
    ),
    status: Type.Enum(['success', 'failure'], { type: 'string' }),
    summary: Type.String({
      minLength: 1,
      maxLength: 1000,
      pattern: '^[^\\u0000-\\u001f\\u007f]+$',
      description: 'One-line result of the run.',
    }),
    logs: Type.Optional(Type.Array(Type.String({ maxLength: 4096 }), { maxItems: 5000 })),
    author: Type.String({ minLength: 1, maxLength: 255, pattern: '^[^\\u0000-\\u001f\\u007f]+$' }),
    commit: Type.Object(
      {
        sha: Sha,
        ref: Ref,
        message: Type.String({ maxLength: 65_536 }),
        filesChanged: Type.Object({ added: Paths, modified: Paths, removed: Paths }, { additionalProperties: false }),
      },
      { additionalProperties: false },
    ),
    report: Type.Optional(UpdateReport),
  },
  { additionalProperties: false, description: 'A run that the GitHub Action performed.' },
)
export type ReportBody = Static<typeof ReportBody>

export const ReportResponse = Type.Object(
  {
    statusId: Type.String(),
    detailsUrl: Type.String({ format: 'uri', description: 'Signed link to the update page.' }),
  },
  { $id: 'ReportedUpdate' },
)

const Size = Type.Integer({ minimum: 0 })

export const SiteSchema = Type.Object(
  {
    sha: Sha,
    ref: Type.String({ description: 'Full name of the ref that was built.' }),
    statusId: Type.String({ description: 'ID of the update that built the site.' }),
    createdAt: Time,
    status: Type.Enum(['success', 'failure'], {
      type: 'string',
      description: 'Result of the update that built the site. `failure` if its OpenAPI documents have errors.',
    }),
    isPublished: Type.Boolean({ description: 'Whether this is the project’s production site.' }),
    pageCount: Size,
    fileCount: Size,
    sizeBytes: Type.Integer({ minimum: 0, description: 'Total size of all files before compression.' }),
    url: Type.Optional(
      Type.String({ format: 'uri', description: 'URL of this commit’s site. Absent if the server hosts no sites.' }),
    ),
  },
  { $id: 'Site', description: 'Site built from one commit.' },
)

export const SiteListSchema = Type.Object(
  {
    sites: Type.Array(Type.Ref('Site#'), { description: 'Newest update first.' }),
    nextCursor: Type.Optional(
      Type.String({ description: 'Pass this value as `cursor` to get the next page. Absent on the last page.' }),
    ),
  },
  { $id: 'SiteList' },
)

export const PublishedSiteSchema = Type.Object(
  {
    site: Type.Ref('Site#'),
    publishedAt: Time,
    publishedBy: Type.String({
      description: '`push`, or the user or token that published it manually: `github:<login>`, `token:<id>`.',
    }),
    url: Type.Optional(
      Type.String({ format: 'uri', description: 'URL of the production site. Absent if the server hosts no sites.' }),
    ),
  },
  { $id: 'PublishedSite', description: 'The project’s production site.' },
)

export const SiteParameters = Type.Object({
  projectId: ProjectParameters.properties.projectId,
  sha: Type.String({ pattern: '^[0-9a-f]{12,40}$', description: 'Commit SHA, or at least its first 12 digits.' }),
})

export const SiteListQuery = Type.Object(
  {
    ref: Type.Optional(Ref),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
    cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 512, description: '`nextCursor` of the previous page.' })),
  },
  { additionalProperties: false },
)
export type SiteListQuery = Static<typeof SiteListQuery>

export const PublishBody = Type.Object({ sha: Sha }, { additionalProperties: false, description: 'The commit to publish.' })
export type PublishBody = Static<typeof PublishBody>

export const DomainParameters = Type.Object({
  domain: Type.String({ minLength: 1, maxLength: 63, description: 'Subdomain of the site, as in `subdomain` of the records.' }),
})

const PagePath = (description: string) => Type.String({ minLength: 1, maxLength: 2_000, description })

export const SearchBody = Type.Object(
  {
    query: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'A few words, an operation such as `POST /users`, or the name of a parameter.',
    }),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 30, default: 10 })),
    from: Type.Optional(PagePath('Path of a page: searches its language and version. The default is the start page.')),
  },
  { additionalProperties: false },
)
export type SearchBody = Static<typeof SearchBody>

const SearchResult = Type.Object({
  path: Type.String({ description: 'Path of the page with its section, such as `/guides/start#install`.' }),
  kind: Type.Enum(['operation', 'webhook', 'page', 'schema'], { type: 'string' }),
  title: Type.String(),
  method: Type.Optional(Type.String({ description: 'HTTP method of an operation.' })),
  detail: Type.Optional(Type.String({ description: 'What matches, such as the path of an operation or the name of a section.' })),
})
export type SearchResult = Static<typeof SearchResult>

export const SearchResultsSchema = Type.Object(
  { results: Type.Array(SearchResult, { description: 'Best first.' }) },
  { $id: 'SearchResults' },
)

export const PageBody = Type.Object(
  { path: PagePath('Such as `/guides/start`. A URL of the page works, too; `/` is the start page.') },
  { additionalProperties: false },
)
export type PageBody = Static<typeof PageBody>

export const PageSchema = Type.Object(
  { path: Type.String(), content: Type.String({ description: 'The page as Markdown.' }) },
  { $id: 'Page', description: 'A page of a published site.' },
)

export const HealthResponse = Type.Object(
  { status: Type.String(), problems: Type.Optional(Type.Array(Type.String())) },
  { $id: 'Health' },
)

type Headers = Readonly<Record<string, { readonly type: 'string' | 'integer'; readonly description?: string }>>

/** Headers of every response. */
export const commonHeaders: Headers = {
  'X-Request-Id': { type: 'string', description: 'ID of the request, also found in the server log.' },
}

/** Describes a JSON response for `@fastify/swagger`. */
export function jsonResponse(description: string, schema: TSchema, headers: Headers = {}): object {
  return { description, content: { 'application/json': { schema } }, headers: { ...headers, ...commonHeaders } }
}

/** Describes the error responses of a route, with the codes of each status. */
export function errorResponses(...statuses: readonly number[]): Record<number, object> {
  const rows = statuses.map((status) => [status, errorResponse(status)] as const)
  return Object.fromEntries(rows)
}

function errorResponse(status: number): object {
  const codes = (Object.keys(problems) as ProblemCode[]).filter((code) => problems[code].status === status)
  const headers: Headers = {
    ...((status === 401 || status === 403) && {
      'WWW-Authenticate': { type: 'string', description: '`Bearer` challenge with the reason (RFC 6750).' },
    }),
    ...((status === 429 || status === 503) && {
      'Retry-After': { type: 'integer', description: 'Seconds to wait before the next request.' },
    }),
  }
  return {
    description: codes.map((code) => `\`${code}\`: ${problems[code].title}.`).join(' '),
    content: { 'application/problem+json': { schema: Type.Ref('Problem#') } },
    headers: { ...headers, ...commonHeaders },
  }
}
