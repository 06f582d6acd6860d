import { serveRequests } from '../isolate/untrusted-child.ts'
import { answerCheck } from './answer-check.ts'

// The process that reads untrusted documents.

serveRequests(answerCheck)
