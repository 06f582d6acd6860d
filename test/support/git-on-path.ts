import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Adds a `git` to `folder/bin` that runs a shell script before each push (`$PUSH` is its number), and returns that folder for
 * `PATH`. A test can then change the remote between reading and pushing, without waiting.
 */
export function wrapGitPush(folder: string, script: string): string {
  const realGit = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  const counter = join(folder, 'pushes')
  const lines = [
    '#!/bin/sh',
    'for argument in "$@"; do',
    '  if [ "$argument" = push ]; then',
    `    echo push >> '${counter}'`,
    `    PUSH=$(wc -l < '${counter}')`,
    `    PATH='${join(realGit, '..')}':$PATH`,
    `    ( ${script} ) >&2`,
    '    break',
    '  fi',
    'done',
    `exec '${realGit}' "$@"`,
  ]
  writeFileSync(join(bin, 'git'), `${lines.join('\n')}\n`)
  chmodSync(join(bin, 'git'), 0o755)
  return bin
}
