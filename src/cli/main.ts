import { readArguments } from './base/cli-context.ts'
import { runCli } from './run-cli.ts'

try {
  const { argv, context } = readArguments()
  void runCli(argv, context).then((exitCode) => {
    // `process.exit` could cut off output that a slow reader has not consumed yet. A failed output has already set the exit code.
    process.exitCode ??= exitCode
  })
} catch {
  // Only `process.cwd()` can fail here.
  process.stderr.write('openapi-pages: the working directory no longer exists\n  Change to another directory.\n')
  process.exitCode = 2
}
