import { readArguments } from './cli-context.ts'
import { runCli } from './run-cli.ts'

try {
  const { argv, context } = readArguments()
  void runCli(argv, context).then((exitCode) => {
    // Not `process.exit`, which would cut off output that a slow reader has not taken yet. A failed output has set its own code.
    process.exitCode ??= exitCode
  })
} catch {
  // Nothing else of it can fail: the folder is gone in which the command is run.
  process.stderr.write('openapi-pages: cannot run in a folder that is not there any more\n  Change to another one.\n')
  process.exitCode = 2
}
