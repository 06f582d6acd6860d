import type { GitHubClient } from '../../github/types.ts'
import { type AccessLevel, listUserInstallations, listUserRepositories } from '../../github/user-sign-in.ts'
import type { Project } from '../../status/types.ts'
import type { Store } from '../../store/types.ts'

/** What a person may do in each repository that they were given access to; GitHub's ids. */
export type Access = ReadonlyMap<number, AccessLevel>

/** Whether a level is enough for what is wanted. */
export function mayDo(access: Access, { repositoryId }: Pick<Project, 'repositoryId'>, wanted: AccessLevel): boolean {
  const levels: readonly AccessLevel[] = ['read', 'write', 'admin']
  const given = access.get(repositoryId)
  return given !== undefined && levels.indexOf(given) >= levels.indexOf(wanted)
}

/** Who loses access sees what they saw for this long. */
const keptMs = 60_000
const mostKept = 2_000

interface Kept {
  readonly access: Promise<Access>
  readonly until: number
}

/** Keeps what GitHub said for a minute, in this process; requests at the same time share one question. */
export class AccessCache {
  readonly #kept = new Map<string, Kept>()
  readonly #store: Store
  readonly #now: () => Date

  constructor({ store, now }: { readonly store: Store; readonly now: () => Date }) {
    this.#store = store
    this.#now = now
  }

  /** @throws {GitHubError} what GitHub said; it is asked again the next time. */
  async read(sessionId: string, connect: () => Promise<GitHubClient>): Promise<Access> {
    const time = this.#now().getTime()
    const kept = this.#kept.get(sessionId)
    // A clock that was set back makes nothing last longer.
    if (kept && time < kept.until && time >= kept.until - keptMs) return await kept.access
    const access = connect().then((client) => readAccess(client, this.#store))
    this.#kept.delete(sessionId)
    this.#kept.set(sessionId, { access, until: time + keptMs })
    for (const [oldest] of this.#kept) {
      if (this.#kept.size <= mostKept) break
      this.#kept.delete(oldest)
    }
    access.catch(() => this.#kept.get(sessionId)?.access === access && this.#kept.delete(sessionId))
    return await access
  }

  forget(sessionId: string): void {
    this.#kept.delete(sessionId)
  }
}

/** Asks only for installations that have a project here. */
async function readAccess(client: GitHubClient, store: Store): Promise<Access> {
  const [installations, projects] = await Promise.all([listUserInstallations(client), store.projects.list()])
  const known = new Set(projects.map(({ installationId }) => installationId))
  const lists = await Promise.all(
    installations.filter((id) => known.has(id)).map((installationId) => listUserRepositories(client, installationId)),
  )
  return new Map(lists.flat())
}
