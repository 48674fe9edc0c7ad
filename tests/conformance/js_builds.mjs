// SPDX-License-Identifier: GPL-3.0-or-later
// Template builds with the official JavaScript SDK; started by js_sdk.py.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { mkdtempSync, mkdirSync, writeFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Sandbox, Template } from 'e2b'

function context(t) {
  const folder = mkdtempSync(join(tmpdir(), 'boxdeck-js-'))
  t.after(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'app'))
  writeFileSync(join(folder, 'app', 'data.txt'), 'data\n')
  return folder
}

test('a template with every kind of step, and a sandbox of it', async (t) => {
  const template = Template({ fileContextPath: context(t) })
    .fromTemplate('base')
    .setEnvs({ WHO: 'js' })
    .setUser('builder')
    .setWorkdir('/srv/js')
    .copy('app', 'app', { mode: 0o640 })
    .runCmd('echo $WHO $(cat app/data.txt) > said')
    .setStartCmd('sleep 312', 'pgrep -x sleep')
  const messages = []
  const built = await Template.build(template, 'js-everything', { onBuildLogs: (entry) => messages.push(entry.message) })
  assert.equal(built.name, 'js-everything')
  assert.ok(messages.some((message) => message.includes('Template is ready')), messages.join('\n'))
  const sandbox = await Sandbox.create('js-everything', { timeoutMs: 120_000 })
  try {
    const done = await sandbox.commands.run('cat said; pwd; id -un; stat -c %a app/data.txt; pgrep -cx sleep')
    assert.equal(done.stdout, 'js data\n/srv/js\nbuilder\n640\n1\n')
  } finally {
    await sandbox.kill()
  }
})

test('a second build is cached, and a failure says which step', async (t) => {
  const template = Template({ fileContextPath: context(t) }).fromTemplate('base').copy('app/*', '/opt/x/').runCmd('cat /opt/x/data.txt')
  const messages = []
  await Template.build(template, 'js-cached')
  await Template.build(template, 'js-cached', { onBuildLogs: (entry) => messages.push(entry.message) })
  assert.ok(messages.some((message) => message.startsWith('CACHED [builder 2/2]')), messages.join('\n'))
  await assert.rejects(Template.build(Template().fromTemplate('base').runCmd('exit 9'), 'js-fails'), /exit status 9/)
})

test('a build in the background, its status, and the name', async () => {
  const info = await Template.buildInBackground(Template().fromTemplate('base').runCmd('sleep 1'), 'js-background')
  const status = await Template.getBuildStatus(info)
  assert.ok(['building', 'waiting'].includes(status.status), status.status)
  assert.equal(await Template.exists('js-background'), true)
  assert.equal(await Template.exists('js-never'), false)
})
