import { testCases } from './cases.ts'

testCases('rules')
