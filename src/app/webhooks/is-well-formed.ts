import { type TSchema, Type } from 'typebox'
import { Check } from 'typebox/value'
import type { HandledName } from './handlers.ts'

const Id = Type.Integer({ minimum: 1 })
const Sha = Type.String({ pattern: '^[0-9a-f]{40}$' })
const WithId = Type.Object({ id: Id })
const WithLogin = Type.Object({ login: Type.String() })
const Repository = Type.Object({
  id: Id,
  name: Type.String(),
  owner: Type.Union([WithLogin, Type.Null()]),
  private: Type.Boolean(),
})
const Paths = Type.Optional(Type.Array(Type.String()))
const Commit = Type.Object({ added: Paths, modified: Paths, removed: Paths })

/** What is read of the payloads of an event, by the name of the event without its action. */
const schemas: Readonly<Record<string, TSchema>> = {
  push: Type.Object({
    ref: Type.String(),
    before: Sha,
    after: Sha,
    deleted: Type.Boolean(),
    forced: Type.Boolean(),
    created: Type.Boolean(),
    commits: Type.Array(Commit),
    head_commit: Type.Union([Type.Null(), Type.Object({ message: Type.String(), author: Type.Object({}) })]),
    pusher: Type.Object({ name: Type.String() }),
    repository: Repository,
  }),
  pull_request: Type.Object({
    pull_request: Type.Object({
      number: Id,
      title: Type.String(),
      user: Type.Union([WithLogin, Type.Null()]),
      head: Type.Object({ sha: Sha, ref: Type.String(), repo: Type.Union([WithId, Type.Null()]) }),
      base: Type.Object({ sha: Sha }),
    }),
    repository: Repository,
  }),
  check_run: Type.Object({
    check_run: Type.Object({ external_id: Type.Union([Type.String(), Type.Null()]) }),
    repository: WithId,
    sender: WithLogin,
  }),
  check_suite: Type.Object({
    check_suite: Type.Object({ head_sha: Sha }),
    repository: Repository,
    sender: WithLogin,
  }),
  merge_group: Type.Object({
    merge_group: Type.Object({
      head_sha: Sha,
      head_ref: Type.String(),
      base_sha: Sha,
      head_commit: Type.Object({ message: Type.String() }),
    }),
    repository: Type.Optional(Repository),
  }),
  github_app_authorization: Type.Object({ sender: WithId }),
  installation: Type.Object({ installation: WithId, repositories: Type.Optional(Type.Array(WithId)) }),
  installation_repositories: Type.Object({
    installation: WithId,
    repositories_added: Type.Array(WithId),
    repositories_removed: Type.Array(Type.Object({ id: Type.Optional(Id) })),
  }),
  repository: Type.Object({ repository: Repository }),
}

/** Whether a payload has what its handler reads. GitHub's have; a signed payload without it is refused before a handler stumbles over it. */
export function isWellFormed(name: HandledName, payload: unknown): boolean {
  const schema = schemas[name.split('.')[0] ?? '']
  return !schema || Check(schema, payload)
}
