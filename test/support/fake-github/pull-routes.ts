import { toIssue, toLabel, toPullRequest } from './represent.ts'
import { invalid, notFound, type Route } from './route.ts'

const write = ['pull_requests', 'write'] as const

/** Opens and changes pull requests. */
export const pullRoutes: readonly Route[] = [
  {
    name: 'POST /repos/{owner}/{repo}/pulls',
    access: 'installation',
    permission: write,
    handle: ({ github, repository, installation, body }) => {
      const [head, base] = [String(body['head']), String(body['base'])]
      const [tip, baseTip] = [repository.tip(head), repository.tip(base)]
      if (tip === undefined) return invalid('', [{ resource: 'PullRequest', field: 'head', code: 'invalid' }])
      if (baseTip === undefined) return invalid('', [{ resource: 'PullRequest', field: 'base', code: 'invalid' }])
      const isOpen = repository.pullRequests.some((pull) => pull.state === 'open' && pull.head === head && pull.base === base)
      if (isOpen) {
        const message = `A pull request already exists for ${repository.owner}:${head}.`
        return invalid('', [{ resource: 'PullRequest', code: 'custom', message }])
      }
      if (repository.git.ancestors(baseTip).has(tip)) {
        const message = `No commits between ${base} and ${head}`
        return invalid('', [{ resource: 'PullRequest', code: 'custom', message }])
      }
      if (String(body['body'] ?? '').length > 65_536) {
        return invalid('', [{ resource: 'PullRequest', field: 'body', code: 'custom', message: 'body is too long' }])
      }
      if (body['draft'] === true && !repository.hasDrafts) {
        return invalid('Draft pull requests are not supported in this repository.')
      }
      const pull = repository.openPullRequest({
        isDraft: body['draft'] === true,
        head,
        base,
        title: String(body['title']),
        body: String(body['body'] ?? ''),
        author: installation.actor ?? `${github.app.slug}[bot]`,
      })
      return { status: 201, body: toPullRequest(github, repository, pull) }
    },
  },
  {
    name: 'PATCH /repos/{owner}/{repo}/pulls/{pull_number}',
    access: 'installation',
    permission: write,
    handle: ({ github, repository, parameters, body }) => {
      const pull = repository.pullRequests.find(({ number }) => number === Number(parameters['pull_number']))
      if (!pull) return notFound
      if (typeof body['title'] === 'string') pull.title = body['title']
      if (typeof body['body'] === 'string') pull.body = body['body']
      if (body['state'] === 'open' || body['state'] === 'closed') pull.state = body['state']
      pull.edits += 1
      return { status: 200, body: toPullRequest(github, repository, pull) }
    },
  },
  {
    name: 'POST /repos/{owner}/{repo}/issues/{issue_number}/labels',
    access: 'installation',
    permission: write,
    handle: ({ repository, parameters, body }) => {
      const pull = repository.pullRequests.find(({ number }) => number === Number(parameters['issue_number']))
      if (!pull) return notFound
      for (const label of toNames(body['labels'])) if (!pull.labels.includes(label)) pull.labels.push(label)
      return { status: 200, body: pull.labels.map((label) => toLabel(repository, label)) }
    },
  },
  {
    name: 'POST /repos/{owner}/{repo}/issues/{issue_number}/assignees',
    access: 'installation',
    permission: write,
    handle: ({ github, repository, parameters, body }) => {
      const pull = repository.pullRequests.find(({ number }) => number === Number(parameters['issue_number']))
      if (!pull) return notFound
      // GitHub silently ignores users who cannot be assigned.
      const known = toNames(body['assignees']).filter((login) => repository.collaborators.has(login))
      for (const login of known) if (!pull.assignees.includes(login)) pull.assignees.push(login)
      return { status: 201, body: toIssue(github, repository, pull) }
    },
  },
  {
    name: 'POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers',
    access: 'installation',
    permission: write,
    handle: ({ github, repository, parameters, body }) => {
      const pull = repository.pullRequests.find(({ number }) => number === Number(parameters['pull_number']))
      if (!pull) return notFound
      const [users, teams] = [toNames(body['reviewers']), toNames(body['team_reviewers'])]
      if (users.includes(pull.author)) return invalid('Review cannot be requested from pull request author.')
      if (!users.every((login) => repository.collaborators.has(login)) || !teams.every((slug) => repository.teams.has(slug))) {
        return invalid(
          `Reviews may only be requested from collaborators. One or more of the users or teams you specified is not a collaborator of the ${repository.fullName} repository.`,
        )
      }
      pull.reviewers.push(...users)
      pull.teamReviewers.push(...teams)
      return { status: 201, body: toPullRequest(github, repository, pull) }
    },
  },
]

function toNames(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : []
}
