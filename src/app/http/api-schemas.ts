import { type Static, type TSchema, Type } from 'typebox'
import { updateSources, updateStates } from '../../status/types.ts'
import { UpdateReport } from '../stored-report.ts'
import { type ProblemCode, problems } from './problem-details.ts'

// Every shape of the HTTP API: requests are checked against these, `/v1/openapi.json` shows them, tests hold the answers to them.

const Time = Type.String({
  format: 'date-time',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
  description: 'ISO 8601, UTC, milliseconds.',
})
const Sha = Type.String({ pattern: '^[0-9a-f]{40}$', description: 'Commit id, 40 hexadecimal digits.' })
const Ref = Type.String({
  minLength: 6,
  maxLength: 255,
  pattern: '^refs/[^\\u0000-\\u0020\\u007f~^:?*\\[\\\\]+$',
  description: 'Full ref, such as `refs/heads/main`.',
})
const Paths = Type.Array(Type.String({ minLength: 1, maxLength: 4096 }), { maxItems: 20_000 })

const FilesChanged = Type.Object(
  { added: Paths, modified: Paths, removed: Paths },
  { description: 'What the whole push did to the files: sorted, without duplicates, net.' },
)

/** The update status record. Responses may gain fields, so additional properties are allowed. */
export const UpdateStatusSchema = Type.Object(
  {
    _id: Type.String({ description: 'Id of the record, a UUIDv7: sorts by creation.' }),
    projectId: Type.String({ description: 'Id of the project, `prj_…`.' }),
    createdAt: Time,
    endedAt: Type.Optional(Time),
    status: Type.Enum([...updateStates], {
      type: 'string',
      description: 'Only moves forward: `queued`, `in_progress`, then `success` or `failure`.',
    }),
    summary: Type.String({ description: 'One line for a person; empty while queued.' }),
    logs: Type.Array(Type.String(), { description: 'Lines in order; the last one says when some were dropped.' }),
    subdomain: Type.String({ description: 'DNS label of the project.' }),
    screenshot: Type.Optional(Type.String({ format: 'uri', description: 'Equals `screenshotLight`.' })),
    screenshotLight: Type.Optional(Type.String({ format: 'uri' })),
    screenshotDark: Type.Optional(Type.String({ format: 'uri' })),
    author: Type.String({ description: 'GitHub login, else the name of the commit’s author.' }),
    commit: Type.Object({ sha: Sha, ref: Type.String(), message: Type.String(), filesChanged: FilesChanged }),
    source: Type.Enum([...updateSources], { type: 'string', description: 'What started the update.' }),
  },
  { $id: 'UpdateStatus', description: 'The update status record. `endedAt` is there once the update has ended.' },
)

export const UpdateListSchema = Type.Object(
  {
    updates: Type.Array(Type.Ref('UpdateStatus#'), { description: 'Newest first.' }),
    nextCursor: Type.Optional(Type.String({ description: 'Give it as `cursor` for the next page; absent on the last.' })),
  },
  { $id: 'UpdateList' },
)

export const ProblemSchema = Type.Object(
  {
    type: Type.String({ format: 'uri', description: 'Documentation of the code.' }),
    title: Type.String(),
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    code: Type.Enum(Object.keys(problems), { type: 'string', description: 'Stable; for programs.' }),
    detail: Type.Optional(Type.String({ description: 'What happened and what to do; for people.' })),
    errors: Type.Optional(
      Type.Array(Type.Object({ at: Type.String(), message: Type.String() }), { description: 'Each part that is wrong.' }),
    ),
    requestId: Type.Optional(Type.String({ description: 'Stands in the server’s log too.' })),
  },
  { $id: 'Problem', description: 'An error answer (RFC 9457).' },
)

export const StatusParameters = Type.Object({
  statusId: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'The status id that the trigger, the report or the check gave.',
  }),
})

export const StatusHeaders = Type.Object({
  'if-none-match': Type.Optional(
    Type.String({ maxLength: 1024, description: '`ETag` of an earlier answer: 304 while it holds.' }),
  ),
  prefer: Type.Optional(
    Type.String({
      maxLength: 256,
      description: '`wait=N`, N at most 60: the answer is held until the record changes state or N seconds have passed.',
    }),
  ),
})

export const ProjectParameters = Type.Object({
  projectId: Type.String({ minLength: 1, maxLength: 64, description: 'Id of the project, `prj_…`.' }),
})

export const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '^[\\x21-\\x7e]+$',
      description: 'Repeating the call with the same key within 24 hours answers as the first time and starts nothing.',
    }),
  ),
})

export const ListQuery = Type.Object(
  {
    ref: Type.Optional(Ref),
    sha: Type.Optional(Sha),
    status: Type.Optional(Type.Enum([...updateStates], { type: 'string' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
    cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 512, description: '`nextCursor` of the page before.' })),
  },
  { additionalProperties: false },
)
export type ListQuery = Static<typeof ListQuery>

export const TriggerBody = Type.Object(
  {
    ref: Type.Optional(Ref),
    sha: Type.Optional(Sha),
  },
  { additionalProperties: false, description: 'Which commit; without it the tip of the default branch.' },
)
export type TriggerBody = Static<typeof TriggerBody>

export const TriggerAnswer = Type.Object(
  { statusId: Type.String({ description: 'For `GET /v1/project/update-status/{statusId}`.' }) },
  { $id: 'TriggeredUpdate' },
)

export const ReportBody = Type.Object(
  {
    projectId: Type.Optional(
      Type.String({ maxLength: 64, description: 'Needed with an `admin` token; else found by the repository and `root`.' }),
    ),
    root: Type.Optional(
      Type.String({ maxLength: 1024, description: 'Docs root relative to the repository; the repository itself where absent.' }),
    ),
    status: Type.Enum(['success', 'failure'], { type: 'string' }),
    summary: Type.String({ minLength: 1, maxLength: 1000, pattern: '^[^\\u0000-\\u001f\\u007f]+$', description: 'One line.' }),
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
  { additionalProperties: false, description: 'A run that the Action did itself.' },
)
export type ReportBody = Static<typeof ReportBody>

export const ReportAnswer = Type.Object(
  {
    statusId: Type.String(),
    detailsUrl: Type.String({ format: 'uri', description: 'Page for people; a signed link.' }),
  },
  { $id: 'ReportedUpdate' },
)

const Size = Type.Integer({ minimum: 0 })

export const SiteSchema = Type.Object(
  {
    sha: Sha,
    ref: Type.String({ description: 'Full ref that was built.' }),
    statusId: Type.String({ description: 'The update that built it.' }),
    createdAt: Time,
    status: Type.Enum(['success', 'failure'], {
      type: 'string',
      description: 'How the update that built it ended; `failure` where documents have errors.',
    }),
    isPublished: Type.Boolean({ description: 'Whether the address of the project shows it.' }),
    pageCount: Size,
    fileCount: Size,
    sizeBytes: Type.Integer({ minimum: 0, description: 'All files together, as they were made.' }),
    url: Type.Optional(
      Type.String({ format: 'uri', description: 'Address of this commit; absent where the server hosts no sites.' }),
    ),
  },
  { $id: 'Site', description: 'The built site of a commit.' },
)

export const SiteListSchema = Type.Object(
  {
    sites: Type.Array(Type.Ref('Site#'), { description: 'Newest update first.' }),
    nextCursor: Type.Optional(Type.String({ description: 'Give it as `cursor` for the next page; absent on the last.' })),
  },
  { $id: 'SiteList' },
)

export const PublishedSiteSchema = Type.Object(
  {
    site: Type.Ref('Site#'),
    publishedAt: Time,
    publishedBy: Type.String({ description: '`push`, or who published it by hand: `github:<login>`, `token:<id>`.' }),
    url: Type.Optional(
      Type.String({ format: 'uri', description: 'Address of the project; absent where the server hosts no sites.' }),
    ),
  },
  { $id: 'PublishedSite', description: 'What the address of a project shows.' },
)

export const SiteParameters = Type.Object({
  projectId: ProjectParameters.properties.projectId,
  sha: Type.String({ pattern: '^[0-9a-f]{12,40}$', description: 'Commit id, at least its first 12 digits.' }),
})

export const SiteListQuery = Type.Object(
  {
    ref: Type.Optional(Ref),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
    cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 512, description: '`nextCursor` of the page before.' })),
  },
  { additionalProperties: false },
)
export type SiteListQuery = Static<typeof SiteListQuery>

export const PublishBody = Type.Object(
  { sha: Sha },
  { additionalProperties: false, description: 'The commit whose site is shown from now on.' },
)
export type PublishBody = Static<typeof PublishBody>

export const HealthAnswer = Type.Object({ status: Type.String() }, { $id: 'Health' })

type Headers = Readonly<Record<string, { readonly type: 'string' | 'integer'; readonly description?: string }>>

/** Headers of every answer. */
export const everyAnswer: Headers = { 'X-Request-Id': { type: 'string', description: 'Stands in the server’s log too.' } }

/** An answer with a JSON body, as `@fastify/swagger` reads it from the schema of a route. */
export function jsonAnswer(description: string, schema: TSchema, headers: Headers = {}): object {
  return { description, content: { 'application/json': { schema } }, headers: { ...headers, ...everyAnswer } }
}

/** The error answers of a route, each with the codes that it can have. */
export function errorAnswers(...statuses: readonly number[]): Record<number, object> {
  const rows = statuses.map((status) => [status, errorAnswer(status)] as const)
  return Object.fromEntries(rows)
}

function errorAnswer(status: number): object {
  // The keys of the table are its codes.
  const codes = (Object.keys(problems) as ProblemCode[]).filter((code) => problems[code].status === status)
  const headers: Headers = {
    ...((status === 401 || status === 403) && {
      'WWW-Authenticate': { type: 'string', description: '`Bearer`, with the reason (RFC 6750).' },
    }),
    ...((status === 429 || status === 503) && { 'Retry-After': { type: 'integer', description: 'Seconds.' } }),
  }
  return {
    description: codes.map((code) => `\`${code}\`: ${problems[code].title}.`).join(' '),
    content: { 'application/problem+json': { schema: Type.Ref('Problem#') } },
    headers: { ...headers, ...everyAnswer },
  }
}
