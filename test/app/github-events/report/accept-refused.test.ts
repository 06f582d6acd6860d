import { describe, expect, test } from 'vitest'
import { acceptedFile, connect } from './accept-fixture.ts'

describe('nothing is committed', () => {
  test.each(['octocat', 'outsider'])('for %s, who has no write access', async (login) => {
    const { repository, sha, press } = await connect()
    const shown = await press(login)
    expect(shown).toMatchObject({ conclusion: 'neutral' })
    expect(shown?.output.title).toBe(`Not accepted: ${login} has no write access to this repository.`)
    expect(repository.tipOf('topic')).toBe(sha)
  })

  test('if the login of the person belongs to another account now', async () => {
    const { github, repository, sha, press } = await connect()
    github.fault({
      route: 'GET /repos/{owner}/{repo}/collaborators/{username}/permission',
      status: 200,
      body: { permission: 'write', role_name: 'write', user: { id: 1, login: 'hubot' } },
    })
    expect((await press())?.output.title).toContain('hubot has no write access')
    expect(repository.tipOf('topic')).toBe(sha)
  })

  test('if the branch has a newer commit', async () => {
    const { repository, press } = await connect()
    const { after } = repository.commit({ files: { 'guide.mdx': 'Pets' }, branch: 'topic' })
    expect((await press())?.output.title).toBe(
      'Not accepted: the branch topic has a newer commit. Use the button in the check of that commit.',
    )
    expect(repository.tipOf('topic')).toBe(after)
  })

  test('if a commit arrives at the same time', async () => {
    const { github, repository, press } = await connect()
    let after = ''
    github.fault({
      route: 'POST /graphql',
      meanwhile: () => {
        ;({ after } = repository.commit({ files: { 'guide.mdx': 'Pets' }, branch: 'topic' }))
      },
    })
    expect((await press())?.output.title).toContain('the branch topic has a newer commit')
    expect(repository.tipOf('topic')).toBe(after)
  })

  test('if the branch was deleted', async () => {
    const { repository, press, sha } = await connect()
    repository.moveBranches([{ branch: 'topic', from: sha, to: '0'.repeat(40) }])
    expect((await press())?.output.title).toBe('Not accepted: the branch topic no longer exists.')
  })

  test('if the branch is protected', async () => {
    const { repository, press, sha } = await connect()
    repository.rules.set('topic', { kind: 'classic', reason: 'Changes must be made through a pull request.' })
    const shown = await press()
    expect(shown).toMatchObject({ conclusion: 'neutral' })
    expect(shown?.output.title).toMatch(/^Not accepted: cannot commit on `acme\/api` branch `topic`/)
    expect(repository.tipOf('topic')).toBe(sha)
  })

  test.each([
    ['has errors', '- reason: Unused\n', 'it has errors. Correct them first.'],
    ['is no YAML', '- [', 'it has errors. Correct them first.'],
    [
      'has an unexpected layout',
      '# Ours\n[{fingerprint: 0123456789abcdef, code: a, message: a, reason: a, author: a, date: "2026-01-01"}]',
      'its entries have an unexpected layout. Write each entry as lines after a dash, not in brackets.',
    ],
    ['is too large', `# ${'a'.repeat(1024 * 1024)}\n`, 'it has errors. Correct them first.'],
    ['would be too large', `# ${'a'.repeat(1024 * 1024 - 100)}\n[]\n`, 'it would have more than 1 MB.'],
  ])('if the file %s', async (_case, text, reason) => {
    const { repository, press, sha, readAccepted } = await connect({ base: { [acceptedFile]: text } })
    expect((await press())?.output.title).toContain(`Not accepted: cannot change ${acceptedFile}: ${reason}`)
    expect(repository.tipOf('topic')).toBe(sha)
    expect(readAccepted()).toBe(text)
  })

  test('if the file is a symbolic link', async () => {
    const link = { [acceptedFile]: { content: 'accepted/list.yaml', mode: '120000' as const } }
    const { repository, press, sha } = await connect({ base: { ...link, 'accepted/list.yaml': '[]\n' } })
    expect((await press())?.output.title).toBe(`Not accepted: the file ${acceptedFile} is a symbolic link.`)
    expect(repository.tipOf('topic')).toBe(sha)
  })

  test('if the commit was not compared', async () => {
    const { repository, press, sha } = await connect({ files: { 'docs.json': '{' } })
    expect((await press())?.output.title).toBe('Not accepted: the changes of this commit are not stored. Re-run the check.')
    expect(repository.tipOf('topic')).toBe(sha)
  })

  test('if the base no longer exists', async () => {
    const { github, repository, press, sha } = await connect()
    github.fault({ route: 'GET /repos/{owner}/{repo}/tarball/{ref}', status: 404, after: 1 })
    expect((await press())?.output.title).toMatch(/^Not accepted: cannot read archive on `acme\/api`@`/)
    expect(repository.tipOf('topic')).toBe(sha)
  })
})
