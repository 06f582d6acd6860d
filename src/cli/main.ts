import { readArguments } from './args.ts'
import { runCli } from './run-cli.ts'

const { argv, context } = readArguments()
void runCli(argv, context).then((exitCode) => {
  // Not `process.exit`, which would cut off output that a slow reader has not taken yet. A failed output has set its own code.
  process.exitCode ??= exitCode
})
