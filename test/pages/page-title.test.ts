import { expect, test } from 'vitest'
import { listSubjects } from '../../src/pages/list-subjects.ts'
import { pageTitle } from '../../src/pages/page-title.ts'
import { describeOpenApi } from '../support/describe-openapi.ts'

const responses = '{"200": {description: Fine}}'

test.each([
  ['/users: {get: {summary: " List: users ", responses: %}}', 'List: users'],
  ['/users: {get: {summary: "two \\n lines", responses: %}}', 'two lines'],
  ['/users: {get: {summary: " ", responses: %}}', 'Get users'],
  ['/users: {get: {responses: %}}', 'Get users'],
  ['"/users/{userId}": {delete: {responses: %}}', 'Delete users by user id'],
  ['"/users/{id}/posts": {post: {responses: %}}', 'Post users posts'],
  ['/api/v1/user_groups.list: {get: {responses: %}}', 'Get api v1 user groups list'],
  ['/: {get: {responses: %}}', 'Get'],
])('the title of %s', async (pathItem, expected) => {
  const text = `openapi: 3.1.0\ninfo: {title: T, version: "1"}\npaths:\n  ${pathItem.replace('%', responses)}\n`
  expect(listSubjects(await describeOpenApi(text)).map(pageTitle)).toEqual([expected])
})

test.each([
  ['orderShipped', 'Order shipped'],
  ['order.shipped_again', 'Order shipped again'],
  ['newURL', 'New URL'],
  ['--', '--'],
])('the title of the webhook %s', async (name, expected) => {
  const text = `openapi: 3.1.0\ninfo: {title: T, version: "1"}\nwebhooks:\n  "${name}": {post: {responses: ${responses}}}\n`
  expect(listSubjects(await describeOpenApi(text)).map(pageTitle)).toEqual([expected])
})
