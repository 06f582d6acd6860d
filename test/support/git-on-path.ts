import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Puts a `git` into `folder/bin` that runs a shell script before each push (the number of the push is in `$PUSH`), and gives
 * that folder for `PATH`. Between what a program read and what it pushes anything can happen this way, without waiting.
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
