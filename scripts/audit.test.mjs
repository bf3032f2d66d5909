import { expect, test } from 'vitest'
import { isFailing, readAudit, tableOf } from './audit.mjs'

const REPORT = {
  auditReportVersion: 2,
  vulnerabilities: {
    ws: { name: 'ws', severity: 'high', range: '<8.17.1', via: [{ title: 'Denial of service' }] },
    pino: { name: 'pino', severity: 'low', range: '*', via: ['ws'] },
  },
}

test('what the registry knows is told as a table, and only high and critical ones fail', () => {
  const read = readAudit(JSON.stringify(REPORT))
  expect(read.answered).toBe(true)
  expect(tableOf(read.found).split('\n')).toEqual([
    'severity  package  versions  what',
    'low       pino     *         through ws',
    'high      ws       <8.17.1   Denial of service',
  ])
  expect(read.found.filter(isFailing).map(({ name }) => name)).toEqual(['ws'])
})

test('a registry that does not answer is no finding, whatever it says instead', () => {
  const refused = { message: '405 Method Not Allowed - POST https://registry.example/audit', statusCode: 405 }
  expect(readAudit(JSON.stringify(refused))).toEqual({ answered: false, why: '405 Method Not Allowed' })
  expect(readAudit(JSON.stringify({ error: { code: 'ENOAUDIT', summary: '' } }))).toEqual({ answered: false, why: 'ENOAUDIT' })
  for (const output of ['', 'null', '<html>', '[]', '{"vulnerabilities": null}']) expect(readAudit(output).answered).toBe(false)
})
