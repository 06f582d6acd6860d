import { testCases } from './cases.ts'

testCases('bundle')
