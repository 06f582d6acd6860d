import type { UpdateAuthor } from '../../status/types.ts'

/** A user in payloads and responses of GitHub. The types of payloads allow one without these fields. */
interface GitHubUser {
  readonly login?: string | undefined
  readonly id?: number | undefined
  readonly avatar_url?: string | undefined
}

/** The author of an update, from the GitHub account and the name in the commit. Either can be missing. */
export function toUpdateAuthor(user: GitHubUser | null | undefined, commitName?: string): UpdateAuthor {
  const author = user?.login || commitName || ''
  const name = commitName || author
  if (name === '') return { author }
  return {
    author,
    authorInfo: {
      name,
      ...(user?.avatar_url && { avatarUrl: user.avatar_url }),
      ...(user?.id !== undefined && { githubUserId: user.id }),
    },
  }
}
