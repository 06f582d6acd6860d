import { GitError } from '../errors.ts'
import { maskSecrets } from '../status/mask-secrets.ts'
import type { GitOutput } from './git.ts'

/**
 * Says in words why a run of git failed. `action` completes "Cannot …", for example `fetch `main``.
 *
 * What the server says is kept: it names rules that only the owner of the repository knows.
 */
export function toGitError(action: string, output: GitOutput): GitError {
  const text = maskSecrets(`${output.stderr}\n${output.stdout}`)
  for (const { pattern, reason, hint, isProtected } of failures) {
    const match = pattern.exec(text)
    if (match) {
      const message = `Cannot ${action}: ${typeof reason === 'string' ? reason : reason(text, match)}`
      return new GitError(message, { hint, isProtected: isProtected ?? false })
    }
  }
  return new GitError(`Cannot ${action}: ${firstComplaint(text) || `git ended with code ${output.code}`}`, {
    hint: 'this is what git itself says; see its documentation',
  })
}

interface Failure {
  readonly pattern: RegExp
  readonly reason: string | ((text: string, match: RegExpExecArray) => string)
  readonly hint: string
  readonly isProtected?: boolean
}

const failures: readonly Failure[] = [
  {
    pattern: /\b(GH006|GH013)\b|protected branch hook declined|repository rule violations/,
    reason: (text, match) => `a branch rule refused it${match[1] ? ` (${match[1]})` : ''}${listRules(text)}`,
    hint: 'let the identity of this push bypass the rule (for example the token of a GitHub App in the input `token`), or use `mode: check` here and commit what `openapi-pages update` writes',
    isProtected: true,
  },
  {
    // Git says the same when the server refused a token: it would then ask a person for another one.
    pattern:
      /could not read (Username|Password)|terminal prompts disabled|Authentication failed|returned error: 401|Invalid username or (password|token)|Permission denied \(publickey/,
    reason: 'the checkout has no credentials, or the server refused them',
    hint: 'give the job `permissions: contents: write` and let `actions/checkout` keep its credentials (`persist-credentials: true`, the default), or give a token in the input `token`',
  },
  {
    pattern: /returned error: 403|Permission to \S+ denied to|denied to \S+\[bot\]|Write access to repository not granted/,
    reason: 'the credentials may not write here (403)',
    hint: 'give the job `permissions: contents: write`; for a fork or Dependabot the token is read-only: use `mode: check` there',
  },
  {
    pattern: /Repository not found|repository '[^']*' not found|does not appear to be a git repository|returned error: 404/,
    reason: 'there is no such repository, or the credentials may not see it',
    hint: 'check the address that `git remote -v` shows, and what the credentials may see',
  },
  {
    pattern:
      /Could not resolve host|Couldn't connect to server|Connection (refused|timed out|reset)|Failed to connect|early EOF|RPC failed/,
    reason: (text) => `the server cannot be reached: ${firstComplaint(text)}`,
    hint: 'run again; if it stays, check the network of the job',
  },
  {
    pattern: /pre-receive hook declined|hook declined/,
    reason: (text) => `a hook of the server refused it${listRemoteLines(text)}`,
    hint: 'ask whoever keeps the server what its hook expects',
  },
  {
    pattern: /couldn't find remote ref/i,
    reason: 'the remote has no such branch',
    hint: 'it may have been deleted while this ran; another branch can be named with the input `branch`',
  },
  {
    pattern: /dubious ownership/,
    reason: 'the checkout belongs to another user, and git does not trust it',
    hint: 'run `git config --global --add safe.directory "$GITHUB_WORKSPACE"` in a step before this one',
  },
  {
    pattern: /not a git repository/,
    reason: 'this is not a git work tree',
    hint: 'check out the repository first, with `actions/checkout`',
  },
  {
    pattern: /index\.lock': File exists/,
    reason: 'another git process is at work here',
    hint: 'run again once it has ended; if none runs, remove `.git/index.lock`',
  },
]

/** What the server says about the rules that refused a push, after GitHub's own heading. */
function listRules(text: string): string {
  const rules = remoteLines(text)
    .filter((line) => !/\b(GH006|GH013)\b|^Review all repository rules|^View all|https?:\/\//.test(line))
    .map((line) => line.replace(/^- |^error: |\.$/g, '').replace(/\.$/, ''))
  return rules.length === 0 ? '' : `: ${rules.slice(0, 5).join('; ')}`
}

function listRemoteLines(text: string): string {
  const lines = remoteLines(text)
  return lines.length === 0 ? '' : `: ${lines.slice(0, 5).join(' ')}`
}

function remoteLines(text: string): string[] {
  const lines = text.split(/[\r\n]+/).filter((line) => line.startsWith('remote:'))
  return lines.map((line) => line.slice('remote:'.length).trim()).filter((line) => /\w/.test(line))
}

/** The first line that says what is wrong, without git's own prefix. */
function firstComplaint(text: string): string {
  const lines = text.split(/[\r\n]+/).map((line) => line.trim())
  const line = lines.find((candidate) => /^(fatal|error): /.test(candidate)) ?? lines.find((candidate) => candidate !== '') ?? ''
  return line.replace(/^(fatal|error): /, '').slice(0, 300)
}
